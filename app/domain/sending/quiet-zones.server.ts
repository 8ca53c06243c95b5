/** In which time zones a journey's quiet hours are under way; computed once per zone. */
import { nextAllowed } from '../hours/next-allowed.ts'
import { readClockAndHours } from '../journeys/clock-and-hours.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'

/** A zone is null if it is unknown. */
export async function quietZones(scope: Scope, journeyId: number): Promise<(zone: string | null) => boolean> {
  const { tenant_zone, settings } = await readClockAndHours(scope, journeyId)
  const now = nowIn(scope)
  const known = new Map<string | null, boolean>()
  return (zone) => {
    const is_quiet = known.get(zone) ?? nextAllowed(now, { zone, tenant_zone, settings, member_id: 0 }) > now
    known.set(zone, is_quiet)
    return is_quiet
  }
}

/** When a person may be reached: not while their company sends nothing, and not while they rest. */
import { nowIn, zonedNow } from './clock.server.ts'
import { allowedFrom, quietHoursOf } from './quiet-hours.ts'
import type { Scope } from './scope.server.ts'
import { WEEKDAYS } from './wall-time.ts'

type Reached = { id: number; timezone: string | null; tenant_zone: string; settings: unknown }

export function restsUntil(scope: Scope, { id, timezone, tenant_zone, settings }: Reached): Date | null {
  if ((settings as { sending_stopped?: boolean }).sending_stopped)
    return new Date(nowIn(scope).getTime() + 15 * 60_000)
  const zone = timezone ?? tenant_zone
  const allowance = { quiet: quietHoursOf(settings, timezone !== null), send_days: WEEKDAYS }
  const from = allowedFrom(zonedNow(scope, zone).toInstant(), zone, allowance, id)
  return from.shifted.length > 0 ? new Date(from.instant.epochMilliseconds) : null
}

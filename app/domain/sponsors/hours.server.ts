/** When a person may be reached: not while their company sends nothing, and not while they rest. */
import { Temporal } from 'temporal-polyfill'
import { allowedFrom, quietHoursOf } from '../quiet-hours.ts'
import { WEEKDAYS } from '../wall-time.ts'

type Reached = { id: number; timezone: string | null; tenant_zone: string; settings: unknown }

/** Null: now. */
export function restsUntil({ id, timezone, tenant_zone, settings }: Reached): Date | null {
  if ((settings as { sending_stopped?: boolean }).sending_stopped) return new Date(Date.now() + 15 * 60_000)
  const allowance = { quiet: quietHoursOf(settings, timezone !== null), send_days: WEEKDAYS }
  const from = allowedFrom(Temporal.Now.instant(), timezone ?? tenant_zone, allowance, id)
  return from.shifted.length > 0 ? new Date(from.instant.epochMilliseconds) : null
}

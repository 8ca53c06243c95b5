/** When messages rest: nights, and days that are not chosen. */
import { Temporal } from 'temporal-polyfill'
import { WEEKDAYS, type Weekday } from './schedule.ts'

export type QuietHours = { from: string; to: string }
/** Messages rest from evening to morning where the recipient is. */
export const QUIET_HOURS: QuietHours = { from: '20:00', to: '09:00' }
/** Where nobody knows the recipient's zone, the tenant's late morning to early evening is safe. */
export const QUIET_HOURS_UNKNOWN_ZONE: QuietHours = { from: '19:00', to: '11:00' }

const JITTER_MINUTES = 20

export type Shift = 'quiet_hours' | 'send_days' | 'jitter'
export type Allowance = { quiet: QuietHours; send_days: readonly string[] }

/** The first allowed minute from `instant` on; what quiet hours defer leaves spread over some minutes. */
export function allowedFrom(
  instant: Temporal.Instant,
  zone: string,
  { quiet, send_days }: Allowance,
  memberId: number,
): { instant: Temporal.Instant; shifted: Shift[] } {
  const shifted = new Set<Shift>()
  let local = instant.toZonedDateTimeISO(zone)
  // A week of days and the nights between them; one more for the changes of the clock.
  for (let step = 0; step < 20; step++) {
    const weekday: Weekday = WEEKDAYS[local.dayOfWeek - 1] ?? 'Mon'
    if (!send_days.includes(weekday)) {
      shifted.add('send_days')
      local = atTime(local.toPlainDate().add({ days: 1 }), quiet.to, zone)
    } else if (isQuiet(local.toPlainTime(), quiet)) {
      shifted.add('quiet_hours')
      const isMorning = Temporal.PlainTime.compare(local.toPlainTime(), Temporal.PlainTime.from(quiet.to)) < 0
      local = atTime(local.toPlainDate().add({ days: isMorning ? 0 : 1 }), quiet.to, zone)
    } else break
  }
  if (!shifted.has('quiet_hours')) return { instant: local.toInstant(), shifted: [...shifted] }
  return { instant: local.add({ minutes: jitter(memberId) }).toInstant(), shifted: [...shifted, 'jitter'] }
}

function isQuiet(time: Temporal.PlainTime, { from, to }: QuietHours): boolean {
  const text = time.toString({ smallestUnit: 'minute' })
  return from > to ? text >= from || text < to : text >= from && text < to
}

const atTime = (date: Temporal.PlainDate, time: string, zone: string) =>
  date.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) })

/** The same minutes for the same person every time, spread over the window (Knuth's multiplicative hash). */
const jitter = (memberId: number) =>
  Math.floor((((memberId * 2654435761) % 2 ** 32) / 2 ** 32) * JITTER_MINUTES)

/** The next instant at which a text message may reach a person; `zone` is null when nobody knows theirs. */
export function nextAllowed(
  now: Date,
  { zone, tenant_zone }: { zone: string | null; tenant_zone: string },
): Date {
  const quiet = zone === null ? QUIET_HOURS_UNKNOWN_ZONE : QUIET_HOURS
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  const local = instant.toZonedDateTimeISO(zone ?? tenant_zone)
  if (!isQuiet(local.toPlainTime(), quiet)) return now
  return new Date(
    allowedFrom(instant, zone ?? tenant_zone, { quiet, send_days: WEEKDAYS }, 0).instant.epochMilliseconds,
  )
}

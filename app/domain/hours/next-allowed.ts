/** When a message may leave: not at night, and not on days that were not chosen. */
import { Temporal } from 'temporal-polyfill'
import { type QuietHours, quietHoursOf } from './quiet-hours.ts'
import { WEEKDAYS, type Weekday } from './wall-time.ts'

const JITTER_MINUTES = 20

/** Why a message leaves at another time than its rule says. */
export const SHIFTS = [
  'clock_gap',
  'clock_overlap',
  'quiet_hours',
  'send_days',
  'jitter',
  'daily_cap',
  'late',
  'pause',
] as const
export type Shift = (typeof SHIFTS)[number]
export type Allowance = { quiet: QuietHours; send_days: readonly string[] }

/** The first allowed minute from `instant` on; deferred messages are spread over some minutes. */
export function allowedFrom(
  instant: Temporal.Instant,
  zone: string,
  { quiet, send_days }: Allowance,
  memberId: number,
): { instant: Temporal.Instant; shifted: Shift[] } {
  const shifted = new Set<Shift>()
  let local = instant.toZonedDateTimeISO(zone)
  // Enough steps for a week of days and nights, with spare ones for clock changes.
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
  if (shifted.size === 0) return { instant, shifted: [] }
  const minutes = jitter(memberId, Math.min(JITTER_MINUTES, openMinutes(quiet)))
  return { instant: local.add({ minutes }).toInstant(), shifted: [...shifted, 'jitter'] }
}

function openMinutes({ from, to }: QuietHours): number {
  const minutes = Temporal.PlainTime.from(to).until(from).total('minutes')
  return minutes > 0 ? minutes : 24 * 60
}

function isQuiet(time: Temporal.PlainTime, { from, to }: QuietHours): boolean {
  const text = time.toString({ smallestUnit: 'minute' })
  return from > to ? text >= from || text < to : text >= from && text < to
}

const atTime = (date: Temporal.PlainDate, time: string, zone: string) =>
  date.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) })

/** Deterministic: a person always gets the same offset within the window (Knuth's multiplicative hash). */
const jitter = (memberId: number, minutes: number) =>
  Math.floor((((memberId * 2654435761) % 2 ** 32) / 2 ** 32) * minutes)

/** The same time on the first later day on which the person may be reached. */
export function sameTimeLater(at: Date, now: Date, who: Recipient & { send_days: readonly string[] }): Date {
  const zone = who.zone ?? who.tenant_zone
  const quiet = quietHoursOf(who.settings, who.zone !== null)
  let local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
  do local = local.add({ days: 1 })
  while (local.epochMilliseconds <= now.getTime())
  const send_days = who.send_days.length > 0 ? who.send_days : WEEKDAYS
  const { instant } = allowedFrom(local.toInstant(), zone, { quiet, send_days }, who.member_id)
  return new Date(instant.epochMilliseconds)
}

type Recipient = { zone: string | null; tenant_zone: string; settings?: unknown; member_id: number }

/** The next instant at which a message may reach a person; `zone` is null if their time zone is unknown. */
export function nextAllowed(
  now: Date,
  { zone, tenant_zone, settings, member_id }: Recipient,
  send_days: readonly string[] = WEEKDAYS,
): Date {
  const allowance = { quiet: quietHoursOf(settings, zone !== null), send_days }
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  const allowed = allowedFrom(instant, zone ?? tenant_zone, allowance, member_id)
  return new Date(allowed.instant.epochMilliseconds)
}

/** The instant of a rule, in its recipient's time zone. */
import { Temporal } from 'temporal-polyfill'
import type { Allowance, Shift } from '../hours/next-allowed.ts'
import { quietHoursOf } from '../hours/quiet-hours.ts'
import { WEEKDAYS } from '../hours/wall-time.ts'
import type { Pause } from './pauses.ts'
import type { PlanInput } from './plan-input.ts'

/** The wall-clock time of the rule, or null while the event that it waits for has not happened. */
export function wallClock(input: PlanInput, zone: string): Temporal.PlainDateTime | null {
  const { rule, journey } = input
  const localOf = (date: Date) => toZoned(date, zone)
  const counted = countedInstant(input)
  if (counted) return counted.toZonedDateTimeISO(zone).toPlainDateTime()
  const time = (own?: string | null) => Temporal.PlainTime.from(own ?? journey.default_send_time)
  const start = journey.start_on
    ? Temporal.PlainDate.from(journey.start_on)
    : localOf(journey.launched_at).toPlainDate()

  switch (rule.kind) {
    case 'absolute':
      return Temporal.PlainDate.from(rule.date).toPlainDateTime(time(rule.time))
    case 'offset': {
      const from = {
        start,
        joined: localOf(joinedAt(input)).toPlainDate(),
        previous_lift_completed: input.awaited_at ? localOf(input.awaited_at).toPlainDate() : null,
      }[rule.from]
      return from ? from.add({ days: rule.days }).toPlainDateTime(time(rule.time)) : null
    }
    case 'weekly': {
      const monday = start.subtract({ days: start.dayOfWeek - 1 })
      const days = (rule.week - 1) * 7 + WEEKDAYS.indexOf(rule.weekday)
      return monday.add({ days }).toPlainDateTime(time(rule.time))
    }
    case 'after_lift':
      return null
    case 'manual':
      return rule.at_launch ? withLaunch(localOf(journey.launched_at), time()) : null
  }
}

/** Rules in hours, and those of the launch, have no wall-clock time: an hour can occur twice. */
export function countedInstant({ rule, journey, awaited_at }: PlanInput): Temporal.Instant | null {
  if (rule.kind === 'after_lift' && awaited_at) return instantOf(awaited_at).add({ hours: rule.min_hours })
  const isNow = rule.kind === 'manual' && rule.at_launch && journey.launched_now
  return isNow ? instantOf(journey.launched_at) : null
}

/** The next occurrence of the journey's usual time in the person's zone. */
function withLaunch(launched: Temporal.ZonedDateTime, time: Temporal.PlainTime): Temporal.PlainDateTime {
  const isOver = Temporal.PlainTime.compare(launched.toPlainTime(), time) > 0
  return launched
    .toPlainDate()
    .add({ days: isOver ? 1 : 0 })
    .toPlainDateTime(time)
}

/** Quiet hours and weekdays go by the person's zone, whatever zone the rule uses. */
export const recipientZone = (input: PlanInput) => input.member.zone ?? input.tenant_zone

/** People added to a draft join with its launch. */
export const joinedAt = ({ member, journey }: Pick<PlanInput, 'member' | 'journey'>) =>
  new Date(Math.max(member.joined_at.getTime(), journey.launched_at.getTime()))
export function rulesFor(input: PlanInput): Allowance {
  const quiet = input.quiet_hours ?? quietHoursOf(input.settings, input.member.zone !== null)
  return { quiet, send_days: input.journey.send_days.length > 0 ? input.journey.send_days : WEEKDAYS }
}

/** A time in a clock-change gap becomes the later instant, an ambiguous time the earlier one. */
export const toInstant = (local: Temporal.PlainDateTime, zone: string) =>
  local.toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant()
export function clockChange(local: Temporal.PlainDateTime, instant: Temporal.Instant, zone: string): Shift[] {
  if (!instant.toZonedDateTimeISO(zone).toPlainDateTime().equals(local)) return ['clock_gap']
  const last = local.toZonedDateTime(zone, { disambiguation: 'later' }).toInstant()
  return last.equals(instant) ? [] : ['clock_overlap']
}

const instantOf = (date: Date) => Temporal.Instant.fromEpochMilliseconds(date.getTime())
export const toZoned = (date: Date, zone: string) => instantOf(date).toZonedDateTimeISO(zone)
export const toDate = (instant: Temporal.Instant) => new Date(instant.epochMilliseconds)

/** Where the pause was pressed, and where it shifts a lift. */
type Clocks = { tenant_zone: string; zone: string }

/**
 * `at` as much later as the pause lasted since `since`. Measured on the company's clock and added on the person's: a
 * change of either leaves the time of day as it is.
 */
export function afterPause(at: Date, { from, to }: Pause, since: Date | null, clocks: Clocks): Date {
  const localOf = (date: Date, zone: string) => toZoned(date, zone).toPlainDateTime()
  const { tenant_zone, zone } = clocks
  const gap = localOf(since && since > from ? since : from, tenant_zone).until(localOf(to, tenant_zone))
  return gap.sign > 0 ? toDate(toInstant(localOf(at, zone).add(gap), zone)) : at
}

/**
 * The planner: when one lift is due for one person, and when its message may leave. Pure; preview,
 * production and tests all call it.
 */
import { Temporal } from 'temporal-polyfill'
import type { Channel } from '../journeys/journey.ts'
import {
  type Allowance,
  allowedFrom,
  QUIET_HOURS,
  QUIET_HOURS_UNKNOWN_ZONE,
  type QuietHours,
  type Shift,
} from './quiet-hours.ts'
import type { ScheduleRule } from './schedule.ts'
import { WEEKDAYS } from './schedule.ts'

export type PlanInput = {
  rule: ScheduleRule
  closes_after_hours: number | null
  journey: {
    start_on: string | null
    launched_at: Date
    timezone_mode: 'recipient' | 'journey'
    timezone: string
    default_send_time: string
    send_days: readonly string[]
  }
  /** `zone` is the person's own or their sub-tenant's; null when nobody knows it. */
  member: { id: number; zone: string | null; joined_at: Date }
  tenant_zone: string
  channel: Channel
  /** When the lift this rule waits for was completed by this person. */
  awaited_at?: Date | null
  /** A person decided that it goes out now. */
  send_now?: boolean
  quiet_hours?: QuietHours
  now: Date
}

export type Plan = {
  zone: string
  /** Wall-clock in `zone`, as planned, before any shift. */
  planned_local: string | null
  /** Null while the rule waits for a person or for another lift. */
  due_at: Date | null
  /** When the message may leave: later than due_at only where quiet hours hold back what a person sent now. */
  send_at: Date | null
  closes_at: Date | null
  shifted: Shift[]
  expired: boolean
}

export function planLift(input: PlanInput): Plan {
  const zone =
    input.journey.timezone_mode === 'journey'
      ? input.journey.timezone
      : (input.member.zone ?? input.tenant_zone)
  const waiting: Plan = {
    zone,
    planned_local: null,
    due_at: null,
    send_at: null,
    closes_at: null,
    shifted: [],
    expired: false,
  }
  if (input.send_now || (input.rule.kind === 'manual' && input.rule.at_launch)) return planNow(input, waiting)

  const local = wallClock(input, zone)
  if (!local) return waiting
  const planned = toInstant(local, zone)
  const { instant, shifted } = allowedFrom(planned, recipientZone(input), rulesFor(input), input.member.id)
  const closes_at = closing(planned, input.closes_after_hours)
  return {
    zone,
    planned_local: local.toString({ smallestUnit: 'minute' }),
    due_at: toDate(instant),
    send_at: toDate(instant),
    closes_at,
    shifted,
    expired:
      closes_at !== null && closes_at.getTime() <= Math.max(toDate(instant).getTime(), input.now.getTime()),
  }
}

/** What a person sends now is due now; only a text message still waits for the morning. */
function planNow(input: PlanInput, waiting: Plan): Plan {
  const now = Temporal.Instant.fromEpochMilliseconds(input.now.getTime())
  const local = now.toZonedDateTimeISO(waiting.zone).toPlainDateTime()
  const allowed =
    input.channel === 'sms'
      ? allowedFrom(now, recipientZone(input), { ...rulesFor(input), send_days: WEEKDAYS }, input.member.id)
      : { instant: now, shifted: [] }
  return {
    ...waiting,
    planned_local: local.toString({ smallestUnit: 'minute' }),
    due_at: input.now,
    send_at: toDate(allowed.instant),
    closes_at: closing(now, input.closes_after_hours),
    shifted: allowed.shifted,
  }
}

/** The wall-clock moment the rule names, or null while what it waits for has not happened. */
function wallClock(input: PlanInput, zone: string): Temporal.PlainDateTime | null {
  const { rule, journey } = input
  const localOf = (date: Date) =>
    Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(zone)
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
        joined: localOf(input.member.joined_at).toPlainDate(),
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
      return input.awaited_at
        ? localOf(input.awaited_at).add({ hours: rule.min_hours }).toPlainDateTime()
        : null
    case 'manual':
      return null
  }
}

/** Nights and weekends are those of the person, whoever's clock the rule is read by. */
const recipientZone = (input: PlanInput) => input.member.zone ?? input.tenant_zone

function rulesFor(input: PlanInput): Allowance {
  const quiet = input.quiet_hours ?? (input.member.zone === null ? QUIET_HOURS_UNKNOWN_ZONE : QUIET_HOURS)
  return { quiet, send_days: input.journey.send_days.length > 0 ? input.journey.send_days : WEEKDAYS }
}

/** A gap of the clock leads to the later instant, an overlap to the earlier one. */
const toInstant = (local: Temporal.PlainDateTime, zone: string) =>
  local.toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant()

const toDate = (instant: Temporal.Instant) => new Date(instant.epochMilliseconds)

const closing = (planned: Temporal.Instant, hours: number | null) =>
  hours === null ? null : toDate(planned.add({ hours }))

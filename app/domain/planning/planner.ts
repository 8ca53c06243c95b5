/** When one lift is due for one person, and when its message may leave. Pure. */
import { Temporal } from 'temporal-polyfill'
import { allowedFrom, type Shift } from '../hours/next-allowed.ts'
import { addDays, WEEKDAYS } from '../hours/wall-time.ts'
import type { PlanInput } from './plan-input.ts'
import {
  afterPause,
  clockChange,
  countedInstant,
  joinedAt,
  recipientZone,
  rulesFor,
  toDate,
  toInstant,
  toZoned,
  wallClock,
} from './wall-clock.ts'

/** No journey has more lifts than this, so a free day is found within as many days. */
const MAX_POSTPONED = 400

export type Plan = {
  zone: string
  planned_local: string | null
  /** Null while the rule waits for a person or for another lift. */
  due_at: Date | null
  /** When the message may leave: later than due_at only if somebody sent the lift within quiet hours. */
  send_at: Date | null
  closes_at: Date | null
  shifted: Shift[]
  expired: boolean
  /** Only pauses after this moment shift it. */
  since?: Date | null
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
  if (input.send_now) return planNow(input, waiting)
  if (input.next_open) return planNextOpen(input, waiting)

  const local = wallClock(input, zone)
  if (!local) return waiting
  const counted = countedInstant(input)
  const planned = counted ?? toInstant(local, zone)
  const allowed = allowedFrom(planned, recipientZone(input), rulesFor(input), input.member.id)
  const plan = {
    zone,
    planned_local: local.toString({ smallestUnit: 'minute' }),
    due_at: toDate(allowed.instant),
    closes_at: closing(planned, input.closes_after_hours),
    shifted: [...(counted ? [] : clockChange(local, planned, zone)), ...allowed.shifted],
    since: sinceOf(input),
  }
  const { due_at, closes_at, shifted } = afterPauses(plan, input)
  return {
    ...plan,
    ...{ due_at, send_at: due_at, closes_at, shifted },
    expired: closes_at !== null && closes_at.getTime() <= Math.max(due_at.getTime(), input.now.getTime()),
  }
}

type Timed = Pick<Plan, 'zone' | 'closes_at' | 'shifted'> & { due_at: Date; since: Date | null }

/** Shifts the plan by each pause that it was still ahead of. */
function afterPauses(plan: Timed, input: PlanInput): Timed {
  let { due_at, closes_at } = plan
  let isMoved = false
  const clocks = { tenant_zone: input.tenant_zone, zone: plan.zone }
  for (const pause of input.pauses ?? []) {
    const moved = afterPause(due_at, pause, plan.since, clocks)
    if (moved <= due_at || due_at < pause.from) continue
    isMoved = true
    closes_at = closesLater(closes_at, due_at, moved)
    due_at = allowedAt(moved, input)
  }
  return isMoved ? { ...plan, due_at, closes_at, shifted: [...plan.shifted, 'pause'] } : plan
}

/** It stays open for as long as before. */
export const closesLater = (closes_at: Date | null, due_at: Date, moved: Date): Date | null =>
  closes_at && new Date(closes_at.getTime() + moved.getTime() - due_at.getTime())

/** The learner's completion or joining counts as set at that time; otherwise the author's date. */
function sinceOf(input: PlanInput): Date | null {
  const { rule, awaited_at = null, stated_on = null } = input
  if (rule.kind === 'after_lift') return awaited_at
  if (rule.kind !== 'offset' || rule.from === 'start') return stated_on
  return rule.from === 'joined' ? joinedAt(input) : awaited_at
}

/** Moves the occurrence by whole days to the first free day: a person gets one lift a day. */
export function postpone(plan: Plan, input: PlanInput, isTaken: (day: string) => boolean): Plan {
  let { due_at } = plan
  if (!due_at) return plan
  const shifted = new Set(plan.shifted)
  let day = dayOf(due_at, plan.zone)
  for (let days = 0; days < MAX_POSTPONED && isTaken(day); ) {
    const from = toZoned(due_at, plan.zone)
    const before = days
    // Looks for a free day before checking quiet hours and weekdays: of somebody in many journeys hundreds may be
    // taken.
    do day = addDays(day, 1)
    while (++days < MAX_POSTPONED && isTaken(day))
    const next = from.add({ days: days - before }).toInstant()
    const allowed = allowedFrom(next, recipientZone(input), rulesFor(input), input.member.id)
    due_at = toDate(allowed.instant)
    day = dayOf(due_at, plan.zone)
    for (const shift of ['daily_cap', ...allowed.shifted] as const) shifted.add(shift)
  }
  if (due_at === plan.due_at) return plan
  return {
    ...plan,
    due_at,
    send_at: due_at,
    shifted: [...shifted],
    expired: plan.closes_at !== null && plan.closes_at.getTime() <= due_at.getTime(),
  }
}

/** The first instant from `at` on at which the person may be reached. */
export const allowedAt = (at: Date, input: PlanInput): Date =>
  toDate(
    allowedFrom(
      Temporal.Instant.fromEpochMilliseconds(at.getTime()),
      recipientZone(input),
      rulesFor(input),
      input.member.id,
    ).instant,
  )

export const dayOf = (date: Date, zone: string): string => toZoned(date, zone).toPlainDate().toString()

/** Whether it is meant for the day of joining, which is today, and only its hour is past. */
export function isOfJoining({ rule, member, journey, now }: PlanInput, { due_at, zone }: Plan): boolean {
  const { joined_at } = member
  if (rule.kind !== 'offset' || rule.from !== 'joined' || joined_at <= journey.launched_at) return false
  return due_at !== null && due_at < joined_at && dayOf(joined_at, zone) === dayOf(now, zone)
}

/** A lift sent now is due now; only its text message still waits for the morning. */
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

function planNextOpen(input: PlanInput, waiting: Plan): Plan {
  const now = Temporal.Instant.fromEpochMilliseconds(input.now.getTime())
  const allowed = allowedFrom(now, recipientZone(input), rulesFor(input), input.member.id)
  const due_at = toDate(allowed.instant)
  const closes_at = closing(now, input.closes_after_hours)
  return {
    ...waiting,
    planned_local: toZoned(input.now, waiting.zone).toPlainDateTime().toString({ smallestUnit: 'minute' }),
    ...{ due_at, send_at: due_at, closes_at, shifted: allowed.shifted },
    expired: closes_at !== null && closes_at <= due_at,
  }
}

const closing = (planned: Temporal.Instant, hours: number | null) =>
  hours === null ? null : toDate(planned.add({ hours }))

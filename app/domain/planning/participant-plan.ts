/**
 * Plans all occurrences of one person. Pure; the only place with the rules for late joiners and for one lift a day.
 */
import type { ScheduleRule } from '../lifts/schedule-rule.ts'
import { NO_PAUSES, type Pauses, statedFor } from './pauses.ts'
import type { PlanInput } from './plan-input.ts'
import { dayOf, isOfJoining, type Plan, planLift, postpone } from './planner.ts'
import { joinedAt } from './wall-clock.ts'

/** What happens to a lift whose time is past when it is planned. */
export type PastPolicy = 'send_now' | 'skip' | 'todo_only' | 'one_a_day'

export type PlannableLift = {
  id: number
  position: number
  schedule: ScheduleRule
  closes_after_hours: number | null
}

export type MemberPlanInput = Pick<
  PlanInput,
  'journey' | 'member' | 'tenant_zone' | 'channel' | 'settings' | 'now'
> & {
  lifts: readonly PlannableLift[]
  completed: ReadonlyMap<number, Date>
  previous: ReadonlyMap<number, number>
  /** Other ready lifts that the person never gets. */
  missed?: ReadonlySet<number>
  /** The pauses that shifted the remaining lifts. */
  pauses?: Pauses
  /** Days on which the person already gets a lift, as YYYY-MM-DD in the zone of the plan. */
  taken: Iterable<string>
  past: PastPolicy
  /** When occurrences fell due whose messages are still waiting: for the morning, the end of a pause, or a person. */
  came?: ReadonlyMap<number, Date>
  /** The launcher chose that lifts sent with the launch leave now, not at the journey's usual time. */
  at_once: boolean
}

export type PlannedOccurrence = {
  lift_id: number
  plan: Plan
  isPast: boolean
  /** Somebody chose to send it now, so it does not count for one lift a day. */
  by_hand: boolean
  /** `stays`: it fell due before, and only its message is waiting. */
  outcome: 'planned' | 'skipped' | 'todo_only' | 'stays'
}

export function planMember(input: MemberPlanInput): PlannedOccurrence[] {
  const days = new Set(input.taken)
  let late = 0
  const occurrences: PlannedOccurrence[] = []
  for (const one of draftAll(input).sort(inOrder)) {
    const standing = stay(one, input.came)
    if (standing) {
      occurrences.push(standing)
      continue
    }
    const past = pastOf(one, input.past)
    const outcome = one.isPast ? OUTCOMES[past] : 'planned'
    if (one.isPast && outcome === 'planned') late += 1
    const plan = outcome === 'skipped' ? one.plan : settle(one, past, late, days)
    if (outcome === 'planned' && plan.due_at && !plan.expired) days.add(dayOf(plan.due_at, plan.zone))
    const by_hand = isWordOfSomebody(one, past)
    occurrences.push({ lift_id: one.lift.id, plan, isPast: one.isPast, by_hand, outcome })
  }
  return occurrences
}

/** A lift after a skipped one is planned as if that one was completed on joining. */
function draftAll(input: MemberPlanInput): Draft[] {
  const drafts = input.lifts.map((lift) => draft(input, lift, input.missed))
  const isSkipped = (one: Draft) => one.isPast && pastOf(one, input.past) === 'skip' && !stay(one, input.came)
  const skipped = drafts.filter(isSkipped).map((one) => one.lift.id)
  if (skipped.length === 0) return drafts
  const missed = new Set([...skipped, ...(input.missed ?? [])])
  return drafts.map((one) => (isSkipped(one) ? one : draft(input, one.lift, missed)))
}

/** Lifts that follow a missed lift, or are for the day of joining, are never skipped: the person begins with them. */
const pastOf = (one: Draft, past: PastPolicy): PastPolicy =>
  one.isBeginning && past === 'skip' ? 'one_a_day' : past

/** The lift that this one waits for. */
export const awaitedBy = (
  { id, schedule }: Pick<PlannableLift, 'id' | 'schedule'>,
  previous: ReadonlyMap<number, number>,
): number | undefined => {
  if (schedule.kind === 'after_lift') return schedule.lift_id
  return schedule.kind === 'offset' && schedule.from === 'previous_lift_completed'
    ? previous.get(id)
    : undefined
}

const isWordOfSomebody = ({ isPast, isByHand }: Draft, past: PastPolicy): boolean =>
  isPast ? past === 'send_now' : isByHand

/** An occurrence that fell due stays, unless its rule now names a later time. */
function stay(
  { lift, plan, isPast, isByHand }: Draft,
  came: MemberPlanInput['came'],
): PlannedOccurrence | null {
  const due_at = isPast || lift.schedule.kind === 'manual' ? came?.get(lift.id) : undefined
  if (!due_at) return null
  return {
    ...{ lift_id: lift.id, isPast, by_hand: isByHand, outcome: 'stays' },
    plan: { ...plan, due_at, send_at: null, expired: false },
  }
}

const OUTCOMES = {
  send_now: 'planned',
  one_a_day: 'planned',
  todo_only: 'todo_only',
  skip: 'skipped',
} as const satisfies Record<PastPolicy, PlannedOccurrence['outcome']>

/** `late`: the number of lifts with a past time so far, this one included. */
function settle(one: Draft, past: PastPolicy, late: number, days: ReadonlySet<string>): Plan {
  const isTaken = (day: string) => days.has(day)
  if (!one.isPast) return one.isByHand ? one.plan : postpone(one.plan, one.given, isTaken)
  if (past !== 'one_a_day') return asLate(planLift({ ...one.given, send_now: true }))
  const soon = planLift({ ...one.given, next_open: true })
  if (late === 1 && soon.due_at && !isTaken(dayOf(soon.due_at, soon.zone))) return asLate(soon)
  const later = postpone(planLift(inDays(one.given, Math.max(1, late - 1))), one.given, isTaken)
  return asLate({ ...later, shifted: [...new Set([...later.shifted, 'daily_cap' as const])] })
}

const asLate = (plan: Plan): Plan => ({ ...plan, shifted: ['late', ...plan.shifted] })

type Draft = {
  lift: PlannableLift
  given: PlanInput
  plan: Plan
  isPast: boolean
  isByHand: boolean
  /** It follows a lift that the person never gets, or is meant for the day of joining. */
  isBeginning: boolean
}

function draft(input: MemberPlanInput, lift: PlannableLift, missed: MemberPlanInput['missed']): Draft {
  const {
    lifts: _,
    completed: _done,
    previous: _before,
    taken: _taken,
    past: _past,
    came: _came,
    ...rest
  } = input
  const { at_once, missed: _missed, pauses: { all, stated } = NO_PAUSES, ...common } = rest
  const rule = lift.schedule
  const { awaited_at, isBeginning } = waitFor(lift, input, missed)
  const send_now = at_once && rule.kind === 'manual' && rule.at_launch
  const given: PlanInput = {
    ...common,
    ...{ rule, send_now },
    pauses: all,
    stated_on: statedFor(lift, stated),
    closes_after_hours: lift.closes_after_hours,
    awaited_at,
  }
  const plan = planLift(given)
  const isByHand = send_now || (rule.kind === 'manual' && !rule.at_launch)
  // Later joiners missed a launch that was sent at once, whatever the hour.
  const isMissedLaunch =
    !send_now && rule.kind === 'manual' && rule.at_launch && input.journey.launched_now === true
  const isPast = isMissedLaunch || (plan.due_at !== null && plan.due_at.getTime() < input.now.getTime())
  return { lift, given, plan, isPast, isByHand, isBeginning: isBeginning || isOfJoining(given, plan) }
}

/** If the person never gets the lift before, they wait for the last one before it that they get; without any, they begin here. */
function waitFor(
  lift: PlannableLift,
  { member, journey, completed, previous }: MemberPlanInput,
  missed: MemberPlanInput['missed'],
) {
  const before = awaitedBy(lift, previous)
  if (before === undefined) return { awaited_at: null, isBeginning: false }
  let awaited: number | undefined = before
  while (awaited !== undefined && missed?.has(awaited) && !completed.has(awaited))
    awaited = lift.schedule.kind === 'after_lift' ? undefined : previous.get(awaited)
  return awaited === undefined
    ? { awaited_at: joinedAt({ member, journey }), isBeginning: true }
    : { awaited_at: completed.get(awaited) ?? null, isBeginning: false }
}

/** The input for planning the lift `days` from now, at the journey's usual time. */
function inDays(given: PlanInput, days: number): PlanInput {
  const then = new Date(given.now.getTime() + days * 86_400_000)
  const date = dayOf(then, given.member.zone ?? given.tenant_zone)
  return { ...given, pauses: [], rule: { kind: 'absolute', date, time: given.journey.default_send_time } }
}

const inOrder = (one: Draft, other: Draft) =>
  (one.plan.due_at?.getTime() ?? Number.POSITIVE_INFINITY) -
    (other.plan.due_at?.getTime() ?? Number.POSITIVE_INFINITY) || one.lift.position - other.lift.position

/** An occurrence in words: for whom, when, on which channel, and why then. Pure. */

import type { Shift } from '#app/domain/hours/next-allowed.ts'
import type { Channel } from '#app/domain/journeys/channel.ts'
import type { Journey } from '#app/domain/journeys/journey.ts'
import { describeRule } from '#app/domain/lifts/describe-rule.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import type { PlannedOccurrence } from '#app/domain/planning/participant-plan.ts'
import { explainShift, type PreviewEntry, type Reason } from './preview.ts'

type Learner = {
  id: number
  user_id: number
  name: string
  mobile_phone: string | null
  channel: Channel
  fell_back: boolean
}
type StandingOccurrence = {
  lift_id: number
  member_id: number
  planned_local: string | null
  due_at: Date | null
  send_at: Date | null
  zone: string
  state: string
  channel: string | null
  shifted: string[]
}

type Drafted = PlannedOccurrence & {
  lift: Pick<Lift, 'id' | 'schedule'>
  learner: Learner
  lifts: readonly Lift[]
  journey: Pick<Journey, 'launched_at'>
  as_of: Date
}

export function describeOccurrence(drafted: Drafted): PreviewEntry {
  const { plan, outcome, lift, learner, lifts, journey, as_of } = drafted
  const state = outcome === 'skipped' ? 'skipped' : plan.expired ? 'expired' : 'planned'
  return {
    ...common(lifts, lift.id, learner),
    planned_local: plan.planned_local,
    due_at: plan.due_at?.toISOString() ?? null,
    send_at: plan.send_at?.toISOString() ?? null,
    zone: plan.zone,
    channel: learner.channel,
    state,
    is_past: plan.due_at !== null && plan.due_at < as_of,
    why: [
      ...plan.shifted.map(explainShift),
      ...mailReason(learner),
      ...(plan.due_at === null ? [waiting(lifts, lift.id)] : []),
      ...(state === 'skipped' ? [journey.launched_at ? MISSED : PAST] : []),
      ...(state === 'expired' ? [CLOSED] : []),
    ],
  }
}

type Around = {
  lifts: readonly Lift[]
  learners: readonly Learner[]
  as_of: Date
}

/** An occurrence that is already planned, with its stored reasons. */
export function describeStanding(
  occurrence: StandingOccurrence,
  { lifts, learners, as_of }: Around,
): PreviewEntry[] {
  const learner = learners.find((one) => one.id === occurrence.member_id)
  if (!learner) return []
  const channel =
    occurrence.channel === 'sms' || occurrence.channel === 'in_app' ? occurrence.channel : 'email'
  return [
    {
      ...common(lifts, occurrence.lift_id, learner),
      planned_local: occurrence.planned_local,
      due_at: occurrence.due_at?.toISOString() ?? null,
      send_at: occurrence.send_at?.toISOString() ?? null,
      zone: occurrence.zone,
      channel: occurrence.channel ? channel : learner.channel,
      state: occurrence.state,
      is_past: occurrence.due_at !== null && occurrence.due_at < as_of,
      why: [
        ...occurrence.shifted.map((code) => explainShift(code as Shift)),
        ...mailReason(learner),
        ...(occurrence.due_at === null ? [waiting(lifts, occurrence.lift_id)] : []),
      ],
    },
  ]
}

const PAST: Reason = {
  code: 'past',
  text: 'Its time is past: it is skipped or sent, as you choose at the launch.',
}
const MISSED: Reason = { code: 'past', text: 'Its time was already past: this learner does not get it.' }
const CLOSED: Reason = { code: 'closes', text: 'It would close before it could be sent.' }

function common(lifts: readonly Lift[], liftId: number, learner: Learner) {
  const lift = lifts.find((one) => one.id === liftId)
  return {
    user_id: learner.user_id,
    name: learner.name,
    lift_id: liftId,
    title: lift?.title ?? '',
    rule: lift ? describeRule(lift.schedule) : '',
  }
}

function mailReason({ fell_back, mobile_phone }: Learner): Reason[] {
  if (!fell_back) return []
  return mobile_phone
    ? [{ code: 'channel', text: 'No consent to text messages on file: it goes by e-mail.' }]
    : [{ code: 'number', text: 'No mobile number on file: it goes by e-mail.' }]
}

function waiting(lifts: readonly Lift[], liftId: number): Reason {
  const lift = lifts.find((one) => one.id === liftId)
  if (!lift || lift.schedule.kind === 'manual') return { code: 'waits', text: 'Waits until you send it.' }
  const awaited =
    lift.schedule.kind === 'after_lift'
      ? lift.schedule.lift_id
      : lifts.filter((one) => one.status === 'ready' && one.position < lift.position).at(-1)?.id
  const before = lifts.find((one) => one.id === awaited)
  return {
    code: 'waits',
    text: `Waits until ${before ? `“${before.title}”` : 'the lift before'} is completed.`,
  }
}

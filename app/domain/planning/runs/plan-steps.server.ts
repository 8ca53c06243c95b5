/** One step of a plan, for all people of a small journey or the next batch of a large one. */
import { notify } from '../../notifications/notifications.server.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { listLearners } from '../learners.server.ts'
import { lockReplanned } from '../lock-awaited.server.ts'
import { type PastPolicy, planOccurrences, unplan } from '../plan.server.ts'
import { readPlannedLifts, type StoredJourney } from '../planned-journey.server.ts'
import type { ResumeMode } from '../resume.ts'
import { cancelWaiting, holdWaiting, releaseWaiting } from './hold-and-release.server.ts'
import { keepWhatCame } from './keep-due.server.ts'
import { remindOf } from './remind.server.ts'
import { replanToCome } from './replan-pending.server.ts'
import { sendLift } from './send-lift.server.ts'

/**
 * Occurrences at the launch, of late joiners, after an edit or a change of time zone; changes of the journey's state;
 * sending one lift now, or reminding of it.
 */
type Kind =
  | 'launch'
  | 'late'
  | 'edit'
  | 'move'
  | 'pause'
  | 'resume'
  | 'complete'
  | 'archive'
  | 'send'
  | 'remind'
export type Task = {
  kind: Kind
  /** The moment from which the rules are evaluated. */
  moment: Date
  liftIds: readonly number[]
  past?: PastPolicy | null
  mode?: ResumeMode | null
  since?: Date | null
  /** Occurrences created after this are planned by the current rules already. */
  before?: Date
}
type Step = (
  scope: Scope,
  journey: StoredJourney,
  task: Task,
  memberIds: readonly number[],
) => Promise<number>

const ADDING: readonly Kind[] = ['launch', 'late', 'send', 'remind']
/** These only add occurrences and messages: nothing is withdrawn from a sender. */
export const leavesStanding = (kind: Kind): boolean => ADDING.includes(kind)
export const endsJourney = (kind: Kind): boolean => kind === 'complete' || kind === 'archive'
/** Changes of state affect also the occurrences of people who do not take part at present. */
export const concernsAll = (kind: Kind): boolean => endsJourney(kind) || kind === 'pause' || kind === 'resume'

/** Idempotent. Returns the number of people or occurrences. */
export const doStep: Step = (scope, journey, task, memberIds) =>
  STEPS[task.kind](scope, journey, task, memberIds)

const welcome: Step = async (scope, journey, { kind, liftIds, past, moment, before }, memberIds) => {
  const lifts = await readPlannedLifts(scope, liftIds)
  const learners = await listLearners(scope, journey, memberIds)
  await planOccurrences(scope, journey, lifts, learners, {
    ...{ past: past ?? 'skip', now: moment, before },
    at_once: kind === 'launch' && journey.launched_now,
  })
  const message = `You are part of the learning journey “${journey.name}”.`
  await notify(
    scope,
    learners.map((learner) => learner.user_id),
    { notification_type: 'launch', content: { title: journey.name, message, path: learnerPath(journey) } },
  )
  return learners.length
}

const learnerPath = ({ id }: StoredJourney): string => `/lljs/${id}/learner`

const STEPS: Record<Kind, Step> = {
  launch: welcome,
  late: welcome,
  async edit(scope, journey, { liftIds, past, moment, before }, memberIds) {
    const lifts = await readPlannedLifts(scope, liftIds)
    const learners = await listLearners(scope, journey, memberIds, { withDisabled: true })
    const terms = { past: past ?? 'skip', now: moment, before }
    await lockReplanned(scope, liftIds, lifts, memberIds)
    const staying = await keepWhatCame(scope, journey, lifts, learners, terms)
    await unplan(scope, liftIds, memberIds, before, staying)
    await planOccurrences(scope, journey, lifts, learners, terms)
    return learners.length
  },
  move: (scope, journey, { before }, memberIds) => replanToCome(scope, journey, memberIds, before),
  pause: (scope, _journey, _task, memberIds) => holdWaiting(scope, memberIds),
  async resume(scope, journey, { mode, since, moment }, memberIds) {
    const resumption = { mode: mode ?? 'shift', paused_at: since ?? moment, now: moment }
    return releaseWaiting(scope, journey, resumption, memberIds)
  },
  async complete(scope, journey, _, memberIds) {
    const cancelled = await cancelWaiting(scope, memberIds, 'completed')
    await tellOfEnd(scope, journey, await listUsers(scope, memberIds), learnerPath(journey))
    return cancelled
  },
  archive: (scope, _journey, _task, memberIds) => cancelWaiting(scope, memberIds, 'archived'),
  async send(scope, journey, { liftIds, moment, before }, memberIds) {
    let sent = 0
    for (const lift of await readPlannedLifts(scope, liftIds))
      sent += await sendLift(scope, journey, lift, memberIds, { moment, before })
    return sent
  },
  async remind(scope, journey, { liftIds }, memberIds) {
    let planned = 0
    for (const liftId of liftIds) planned += await remindOf(scope, journey, liftId, memberIds)
    return planned
  },
}

async function listUsers({ actor, db }: Scope, memberIds: readonly number[]): Promise<number[]> {
  if (memberIds.length === 0) return []
  const rows = await db
    .selectFrom('members')
    .select('user_id')
    .where('id', 'in', memberIds)
    .where('state', '!=', 'withdrawn')
    .execute()
  return rows.map((row) => row.user_id).filter((id) => id !== actor.user_id)
}

type Ended = { name: string; grace_days: number }

export const tellOfEnd = (
  scope: Scope,
  { name: title, grace_days }: Ended,
  userIds: readonly number[],
  path?: string,
): Promise<void> =>
  notify(scope, userIds, {
    notification_type: 'success',
    content: {
      title,
      message: `The journey is complete. What was answered stays.${stillOpen(grace_days)}`,
      ...(path && { path }),
    },
  })

const stillOpen = (days: number): string =>
  days === 0 ? '' : ` Open lifts can be answered for ${days === 1 ? 'one more day' : `${days} more days`}.`

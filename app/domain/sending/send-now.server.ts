/** A person sends a lift now: to chosen members, or to all who have not had it. */
import { record } from '../audit/audit.server.ts'
import { invalid, Refusal } from '../errors.ts'
import { activateDue } from '../journeys/activating.server.ts'
import { isRunning } from '../journeys/journey-status.ts'
import { requireEditable } from '../journeys/journeys.server.ts'
import { getLift } from '../lifts/lifts.server.ts'
import { keepVersion } from '../lifts/versions.server.ts'
import { listLearners } from '../planning/learners.server.ts'
import { planOccurrences, unplan, wakeSender } from '../planning/plan.server.ts'
import type { Scope } from '../scope.server.ts'
import { sendFailedAgain } from './resend.server.ts'
import type { SendNowInput } from './send-now-recipients.ts'

/** Whoever was, or may have been, sent the lift is left alone; those whom it failed to reach get it again. */
export async function sendNow(
  scope: Scope,
  liftId: number,
  input: SendNowInput,
): Promise<{ planned: number }> {
  const { journey_id } = await getLift(scope, liftId)
  const journey = await requireEditable(scope, journey_id)
  const lift = await getLift(scope, liftId)
  if (!isRunning(journey.status))
    throw new Refusal(409, 'You can send lifts only while their journey is running.')
  if (lift.status !== 'ready') throw invalid({ status: ['Mark the lift ready first.'] })
  const learners = await listLearners(
    scope,
    journey,
    input.member_ids === 'pending' ? undefined : input.member_ids,
  )
  if (learners.length === 0) throw invalid({ member_ids: ['None of these people is an active learner.'] })
  await keepVersion(scope, lift)
  const ids = learners.map((learner) => learner.id)
  await unplan(scope, [liftId], ids)
  const before = await countOccurrences(scope, liftId)
  const byHand = { ...lift, schedule: { kind: 'manual', at_launch: true } as const }
  await planOccurrences(scope, journey, [byHand], learners, { past: 'send_now', at_once: true })
  await activateDue(scope, journey.id)
  const planned = (await countOccurrences(scope, liftId)) - before + (await sendFailedAgain(scope, lift, ids))
  await wakeSender(scope)
  await record(scope, 'lift.sent', { type: 'lift', id: liftId }, { planned })
  return { planned }
}

async function countOccurrences({ db }: Scope, liftId: number): Promise<number> {
  const { count } = await db
    .selectFrom('occurrences')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('lift_id', '=', liftId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Sends a lift now, to chosen members or to all who have not had it. */
import { record } from '../audit/audit.server.ts'
import { invalid, Refusal } from '../errors.ts'
import { isRunning } from '../journeys/journey-status.ts'
import { requireEditable } from '../journeys/journeys.server.ts'
import { getLift } from '../lifts/lifts.server.ts'
import { keepVersion } from '../lifts/versions.server.ts'
import { planForAll } from '../planning/runs/plan-runs.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { type Scope, tenantWide } from '../scope/scope.server.ts'
import type { SendNowInput, SentNow } from './send-now-recipients.ts'
import { countStillToSend, hasLearner } from './still-to-send.server.ts'

/** Skips people to whom the lift was, or may have been, sent; those whom it failed to reach get it again. */
export async function sendNow(scope: Scope, liftId: number, input: SendNowInput): Promise<SentNow> {
  const { journey_id } = await getLift(scope, liftId)
  const journey = await requireEditable(scope, journey_id)
  const lift = await getLift(scope, liftId)
  if (!isRunning(journey.status))
    throw new Refusal(409, 'You can send lifts only while their journey is running.')
  if (lift.status !== 'ready') throw invalid({ status: ['Mark the lift ready first.'] })
  const memberIds = input.member_ids === 'pending' ? undefined : input.member_ids
  // Also those of other sub-tenants, whom the actor does not see.
  if (!(await tenantWide(scope, (whole) => hasLearner(whole, journey, memberIds))))
    throw invalid({ member_ids: ['None of these people is an active learner.'] })
  await keepVersion(scope, lift)
  const task = { kind: 'send', past: 'send_now', liftIds: [liftId], moment: nowIn(scope) } as const
  const done = await planForAll(scope, journey_id, task, { lifts: 1, ...(memberIds && { memberIds }) })
  const planned = done ?? (await tenantWide(scope, (whole) => countStillToSend(whole, journey, liftId)))
  await record(scope, 'lift.sent', { type: 'lift', id: liftId }, { planned })
  return { planned, is_done: done !== null }
}

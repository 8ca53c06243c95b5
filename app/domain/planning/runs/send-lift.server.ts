/** Sends a lift now: to these learners if they have not had it, and again if it failed to reach them. */
import { sendFailedAgain } from '../../occurrences/resend.server.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { listLearners } from '../learners.server.ts'
import { lockReplanned } from '../lock-awaited.server.ts'
import { type PlannedLift, planOccurrences, unplan, wakeSender } from '../plan.server.ts'
import type { StoredJourney } from '../planned-journey.server.ts'

type Said = { moment: Date; before?: Date | undefined }

/** Returns the number of learners. */
export async function sendLift(
  scope: Scope,
  journey: StoredJourney,
  lift: PlannedLift,
  memberIds: readonly number[],
  { moment: now, before }: Said,
): Promise<number> {
  const learners = await listLearners(scope, journey, memberIds)
  const ids = learners.map(({ id }) => id)
  await lockReplanned(scope, [lift.id], [], ids)
  await unplan(scope, [lift.id], ids, before)
  const byHand = { ...lift, schedule: { kind: 'manual', at_launch: true } as const }
  const terms = { past: 'send_now', at_once: true, now, before } as const
  const planned = await planOccurrences(scope, journey, [byHand], learners, terms)
  const again = await sendFailedAgain(scope, lift, ids)
  await wakeSender(scope)
  return planned + again
}

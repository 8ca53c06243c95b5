/** A lift that a person sends now: to these learners if they have not had it, and again where it failed to reach them. */

import { sendFailedAgain } from '../../occurrences/resend.server.ts'
import type { Scope } from '../../scope.server.ts'
import { type Learner, listLearners } from '../learners.server.ts'
import { type PlannedLift, planOccurrences, unplan, wakeSender } from '../plan.server.ts'
import type { StoredJourney } from '../planned-journey.server.ts'

type Said = { moment: Date; before?: Date | undefined }

/** Returns to how many. */
export async function sendLift(
  scope: Scope,
  journey: StoredJourney,
  lift: PlannedLift,
  memberIds: readonly number[],
  { moment: now, before }: Said,
): Promise<number> {
  const learners = await listLearners(scope, journey, memberIds)
  const ids = learners.map(({ id }) => id)
  await unplan(scope, [lift.id], ids, before)
  const standing = await countOccurrences(scope, lift, learners)
  const byHand = { ...lift, schedule: { kind: 'manual', at_launch: true } as const }
  await planOccurrences(scope, journey, [byHand], learners, { past: 'send_now', at_once: true, now, before })
  const planned = (await countOccurrences(scope, lift, learners)) - standing
  const again = await sendFailedAgain(scope, lift, ids)
  await wakeSender(scope)
  return planned + again
}

async function countOccurrences(
  { db }: Scope,
  lift: Pick<PlannedLift, 'id'>,
  learners: readonly Learner[],
): Promise<number> {
  if (learners.length === 0) return 0
  const { count } = await db
    .selectFrom('occurrences')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('lift_id', '=', lift.id)
    .where(
      'member_id',
      'in',
      learners.map(({ id }) => id),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

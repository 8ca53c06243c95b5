/** The learners who would get a lift that is sent now. */
import { sql } from 'kysely'
import type { Journey } from '../journeys/journey.ts'
import { HAS_FAILED } from '../occurrences/resend.server.ts'
import { IS_SETTLED } from '../occurrences/settled.server.ts'
import { selectLearners } from '../planning/learners.server.ts'
import type { Scope } from '../scope/scope.server.ts'

type Whose = Pick<Journey, 'id' | 'sub_tenant_id'>

/** Whether there is a learner, among these members or at all. */
export async function hasLearner(
  scope: Scope,
  journey: Whose,
  memberIds?: readonly number[],
): Promise<boolean> {
  let query = selectLearners(scope, journey).select('m.id').limit(1)
  if (memberIds) query = query.where(sql<boolean>`m.id = any(${memberIds}::bigint[])`)
  return (await query.executeTakeFirst()) !== undefined
}

/** Of the occurrence `o` of a learner, who may have none: it has not left, or has failed. */
export const IS_WAITING = sql<boolean>`(o.id is null or not ${IS_SETTLED} or ${HAS_FAILED})`

/** Joined with all occurrences of the lift: with `not exists`, PostgreSQL compares each learner with each of them. */
export const selectWaiting = (scope: Scope, journey: Whose, liftId: number) =>
  selectLearners(scope, journey)
    .leftJoin('occurrences as o', (join) =>
      join
        .onRef('o.tenant_id', '=', 'm.tenant_id')
        .onRef('o.member_id', '=', 'm.id')
        .on('o.lift_id', '=', liftId),
    )
    .where(IS_WAITING)

export async function countStillToSend(scope: Scope, journey: Whose, liftId: number): Promise<number> {
  const { count } = await selectWaiting(scope, journey, liftId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

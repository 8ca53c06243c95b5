/** Counts the learners who would get a lift that is sent now. */
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

export async function countStillToSend(scope: Scope, journey: Whose, liftId: number): Promise<number> {
  const { count } = await selectLearners(scope, journey)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(
      sql<boolean>`not exists (select from occurrences o where o.tenant_id = m.tenant_id
        and o.lift_id = ${liftId} and o.member_id = m.id and ${IS_SETTLED} and not ${HAS_FAILED})`,
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

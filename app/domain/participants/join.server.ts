/** How people join a journey, for the first time or again. */
import { sql } from 'kysely'
import type { Journey } from '../journeys/journey.ts'
import { listLifts } from '../lifts/lifts.server.ts'
import { planForAll } from '../planning/runs/plan-runs.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { MembersInput } from './member.ts'
import { keepChosen } from './sponsors.server.ts'

const AT_ONCE = 1000

/** People who had left return with the given values; current participants are not changed. */
export async function insertMembers(
  scope: Scope,
  journey_id: number,
  userIds: readonly number[],
  { role, exclude_data, source }: MembersInput & { source: string },
): Promise<{ came: number[]; returned: number[] }> {
  const { actor, db } = scope
  const { tenant_id } = actor
  const joined: { id: number; returned: boolean }[] = []
  for (let start = 0; start < userIds.length; start += AT_ONCE)
    joined.push(
      ...(await db
        .insertInto('members')
        .values(
          userIds
            .slice(start, start + AT_ONCE)
            .map((user_id) => ({ tenant_id, journey_id, user_id, role, exclude_data, source })),
        )
        .onConflict((clash) =>
          clash
            .columns(['tenant_id', 'journey_id', 'user_id', 'role'])
            .doUpdateSet({
              ...{ state: 'invited', left_at: null, joined_at: sql`scope_now()` },
              ...{ exclude_data, source },
            })
            .where('members.state', '=', 'withdrawn'),
        )
        // `xmax` is not 0 for a row that existed before.
        .returning(['id', sql<boolean>`xmax <> 0`.as('returned')])
        .execute()),
    )
  if (role === 'sponsor')
    await keepChosen(
      scope,
      sql`journey_id = ${journey_id} and user_id = any(${[...userIds]}::bigint[])`,
      source,
    )
  const of = (again: boolean) => joined.filter((row) => row.returned === again).map((row) => row.id)
  return { came: of(false), returned: of(true) }
}

/** People who join a running journey get the remaining lifts, and earlier ones as the journey's settings say. */
export async function welcomeLate(scope: Scope, journey: Journey, memberIds: number[]): Promise<void> {
  const lifts = (await listLifts(scope, journey.id)).filter((lift) => lift.status === 'ready')
  await planForAll(
    scope,
    journey.id,
    {
      kind: 'late',
      past: journey.late_joiners,
      liftIds: lifts.map((lift) => lift.id),
      moment: nowIn(scope),
    },
    { lifts: lifts.length, memberIds },
  )
}

/** Deletes occurrences that were cancelled unseen when they left, so that these are planned again. */
export async function clearCancelled({ db }: Scope, memberIds: readonly number[]): Promise<void> {
  await sql`delete from occurrences where member_id = any(${memberIds}::bigint[]) and state = 'cancelled'
    and opened_at is null`.execute(db)
}

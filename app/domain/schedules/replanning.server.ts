/** Planning anew what an edit of a launched journey concerns, for all to whom nothing has left. */
import { sql } from 'kysely'
import type { Journey } from '../journeys/journey.ts'
import type { Lift } from '../lifts/lift.ts'
import type { Scope } from '../scope.server.ts'
import { planForAll } from './long-plans.server.ts'

export async function replan(scope: Scope, journey: Journey, lifts: readonly Lift[]): Promise<void> {
  if (lifts.length === 0) return
  const moment = await momentOfPlanning(scope, journey)
  const liftIds = lifts.map((lift) => lift.id)
  await planForAll(
    scope,
    journey.id,
    { kind: 'edit', past: 'skip', liftIds, moment },
    { lifts: lifts.length },
  )
}

/** What came due since a pause is not past: it goes on with the journey. */
export async function momentOfPlanning({ db }: Scope, { id, status }: Journey): Promise<Date> {
  if (status !== 'paused') return new Date()
  const { paused_at } = await db
    .selectFrom('journeys')
    .select(sql<Date>`coalesce(paused_at, now())`.as('paused_at'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return paused_at
}

/** Planning anew what an edit of a launched journey concerns, for all to whom nothing has left. */
import { sql } from 'kysely'
import type { Journey } from '../journeys/journey.ts'
import type { Lift } from '../lifts/lift.ts'
import type { Scope } from '../scope.server.ts'
import { listLearners } from './learners.server.ts'
import { beginPlan, isLong } from './long-plans.server.ts'
import { planTurns, unplan } from './planning.server.ts'

export async function replan(scope: Scope, journey: Journey, lifts: readonly Lift[]): Promise<void> {
  const liftIds = lifts.map((lift) => lift.id)
  const ready = lifts.filter((lift) => lift.status === 'ready')
  const now = await momentOfPlanning(scope, journey)
  const people = journey.learners
  if (isLong(liftIds.length, people))
    return beginPlan(scope, journey.id, { kind: 'edit', past: 'skip', liftIds, moment: now, people })
  await unplan(scope, liftIds)
  if (ready.length > 0)
    await planTurns(scope, journey, ready, await listLearners(scope, journey), 'skip', false, now)
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

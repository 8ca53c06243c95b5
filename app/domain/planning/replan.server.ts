/** Planning anew what an edit of a launched journey concerns, for all to whom nothing has left. */
import { sql } from 'kysely'
import type { Journey } from '../journeys/journey.ts'
import type { Lift } from '../lifts/lift.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { PastPolicy } from './participant-plan.ts'
import type { Changed } from './preview/draft-changes.ts'
import { planForAll } from './runs/plan-runs.server.ts'

/** What follows another lift now is not lost where that was done long ago: it comes at once, then one a day. */
export async function replanChanged(
  scope: Scope,
  journey: Journey,
  lifts: readonly Lift[],
  { changed, following }: Pick<Changed, 'changed' | 'following'>,
): Promise<void> {
  const concerned = lifts.filter((lift) => changed.has(lift.id))
  await replan(
    scope,
    journey,
    concerned.filter((lift) => !following.has(lift.id)),
  )
  await replan(
    scope,
    journey,
    concerned.filter((lift) => following.has(lift.id)),
    'one_a_day',
  )
}

export async function replan(
  scope: Scope,
  journey: Journey,
  lifts: readonly Lift[],
  past: PastPolicy = 'skip',
): Promise<void> {
  if (lifts.length === 0) return
  const moment = await momentOfPlanning(scope, journey)
  const liftIds = lifts.map((lift) => lift.id)
  await planForAll(scope, journey.id, { kind: 'edit', past, liftIds, moment }, { lifts: lifts.length })
}

/** What came due since a pause is not past: it goes on with the journey. */
export async function momentOfPlanning({ db }: Scope, { id, status }: Journey): Promise<Date> {
  if (status !== 'paused') return nowIn({ db })
  const { paused_at } = await db
    .selectFrom('journeys')
    .select(sql<Date>`coalesce(paused_at, scope_now())`.as('paused_at'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return paused_at
}

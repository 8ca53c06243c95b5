/** Replans what an edit of a launched journey affects, for everybody to whom nothing has left. */
import { sql } from 'kysely'
import type { Journey } from '../journeys/journey.ts'
import type { Lift } from '../lifts/lift.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { PastPolicy } from './participant-plan.ts'
import type { Changed } from './preview/draft-changes.ts'
import { planForAll } from './runs/plan-runs.server.ts'

/** A lift that now follows another one is not skipped if that was completed long ago: it comes at once, then one a day. */
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

/** For a paused journey the moment of the pause: lifts that fell due since then are not past, but resume with it. */
export async function momentOfPlanning({ db }: Scope, { id, status }: Journey): Promise<Date> {
  if (status !== 'paused') return nowIn({ db })
  const { paused_at } = await db
    .selectFrom('journeys')
    .select(sql<Date>`coalesce(paused_at, scope_now())`.as('paused_at'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return paused_at
}

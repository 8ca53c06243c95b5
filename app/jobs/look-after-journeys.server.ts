/** Completes finished journeys, folds the tallies of their lifts and learners, and resumes interrupted plans. */
import { sql } from 'kysely'
import { lockJourneys } from '#app/domain/journeys/journeys.server.ts'
import { foldLearners } from '#app/domain/journeys/learner-tallies.server.ts'
import { foldTallies } from '#app/domain/journeys/tallies.server.ts'
import { completeJourney } from '#app/domain/running/lifecycle.server.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from './context.ts'
import { planJourney } from './plan-journey.server.ts'

type Found = { tenant_id: string; id: number; is_over: boolean }

export async function lookAfterJourneys({ database, log }: JobContext): Promise<void> {
  const { rows } = await sql<Found>`select * from journeys_to_look_after()`.execute(database)
  for (const { tenant_id, id, is_over } of rows)
    await inScope(database, systemActor(tenant_id), async (scope) => {
      if (is_over) await completeOver(scope, id)
      else await foldTallies(scope, id)
    }).catch((err: unknown) => log.error({ event: 'journey.not-looked-after', journey: id, err }))
  const changed = await sql<{ id: string }>`select * from tenants_with_changed_learners() as id`.execute(
    database,
  )
  for (const { id } of changed.rows)
    try {
      while (await inScope(database, systemActor(id), foldLearners));
    } catch (err) {
      log.error({ event: 'learners.not-folded', tenant: id, err })
    }
  await continueStalled({ database, log })
}

/** Plans that no job has carried on for two minutes. */
export async function continueStalled({
  database,
  log,
}: Pick<JobContext, 'database' | 'log'>): Promise<void> {
  const { rows } = await sql<{ tenant_id: string; id: number }>`select * from stalled_plans()`.execute(
    database,
  )
  for (const { tenant_id, id } of rows)
    await planJourney({ database }, { tenant_id, plan_id: id }).catch((err: unknown) =>
      log.error({ event: 'plan.not-continued', plan: id, err }),
    )
}

/** Checks again under the lock: somebody may just have added a lift. */
async function completeOver(scope: Scope, id: number): Promise<void> {
  await lockJourneys(scope, [id])
  const { rows } = await sql`select from journeys_to_look_after()
    where tenant_id = ${scope.actor.tenant_id} and id = ${id} and is_over`.execute(scope.db)
  if (rows.length > 0) await completeJourney(scope, id)
}

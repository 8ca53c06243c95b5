/** The order of a journey's lifts. */
import { sql } from 'kysely'
import { record } from '../audit/audit.server.ts'
import { isUnderWay } from '../journeys/journey.ts'
import { applyChanges } from '../schedules/changes.ts'
import { replan } from '../schedules/replanning.server.ts'
import type { Scope } from '../scope.server.ts'
import { requireOpen } from './authoring.server.ts'
import type { Lift } from './lift.ts'
import { listLifts } from './lifts.server.ts'
import { requireSameThings } from './same-things.ts'

/** All lifts of the journey, each once, in their new order. */
export async function orderLifts(scope: Scope, journeyId: number, ids: readonly number[]): Promise<Lift[]> {
  const journey = await requireOpen(scope, journeyId)
  const before = await listLifts(scope, journeyId)
  requireSameThings(
    'lift_ids',
    before.map((lift) => lift.id),
    ids,
  )
  // Positions are unique: all move out of the way first.
  await scope.db
    .updateTable('lifts')
    .set({ position: sql`-position` })
    .where('journey_id', '=', journeyId)
    .execute()
  const positions = sql.join(ids.map((id, index) => sql`(${id}::bigint, ${index + 1}::integer)`))
  await sql`update lifts set position = wanted.position from (values ${positions}) as wanted (id, position)
    where lifts.id = wanted.id and lifts.journey_id = ${journeyId}`.execute(scope.db)
  await record(scope, 'lifts.ordered', { type: 'journey', id: journeyId }, { lifts: [...ids] })
  const lifts = await listLifts(scope, journeyId)
  if (!isUnderWay(journey.status)) return lifts
  const { changed } = applyChanges(journey, before, { order: [...ids] })
  await replan(
    scope,
    journey,
    lifts.filter((lift) => changed.has(lift.id)),
  )
  return lifts
}

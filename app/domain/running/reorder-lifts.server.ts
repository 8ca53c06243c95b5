import { sql } from 'kysely'
import { record } from '../audit/audit.server.ts'
import { invalid, stale } from '../errors.ts'
import { isUnderWay } from '../journeys/journey-status.ts'
import { requireOpen } from '../journeys/journeys.server.ts'
import type { Lift, LiftOrder } from '../lifts/lift.ts'
import { listLifts } from '../lifts/lifts.server.ts'
import { requireSameThings } from '../lifts/same-things.ts'
import { applyChanges } from '../planning/preview/draft-changes.ts'
import { replanChanged } from '../planning/replan.server.ts'
import { findStranded } from '../planning/validate-rule.server.ts'
import type { Scope } from '../scope/scope.server.ts'

export async function orderLifts(scope: Scope, journeyId: number, order: LiftOrder): Promise<Lift[]> {
  const journey = await requireOpen(scope, journeyId)
  const { lift_ids: ids, order_version = journey.order_version } = order
  const before = await listLifts(scope, journeyId)
  const there = before.map((lift) => lift.id)
  requireSameThings('lift_ids', there, ids)
  if (order_version !== journey.order_version) {
    if (there.join() === ids.join()) return before
    throw stale({ order_version: journey.order_version, lift_ids: there })
  }
  if (isUnderWay(journey.status)) requireNobodyStranded(before, ids)
  // Positions are unique, so all are moved out of the way first.
  await scope.db
    .updateTable('lifts')
    .set({ position: sql`-position` })
    .where('journey_id', '=', journeyId)
    .execute()
  const positions = sql.join(ids.map((id, index) => sql`(${id}::bigint, ${index + 1}::integer)`))
  await sql`update lifts set position = wanted.position from (values ${positions}) as wanted (id, position)
    where lifts.id = wanted.id and lifts.journey_id = ${journeyId}`.execute(scope.db)
  await scope.db
    .updateTable('journeys')
    .set({ order_version: journey.order_version + 1 })
    .where('id', '=', journeyId)
    .execute()
  await record(scope, 'lifts.ordered', { type: 'journey', id: journeyId }, { lifts: [...ids] })
  const lifts = await listLifts(scope, journeyId)
  if (!isUnderWay(journey.status)) return lifts
  await replanChanged(scope, journey, lifts, applyChanges(journey, before, { order: [...ids] }))
  return lifts
}

/** In a draft the launch reports stranded lifts; in a launched journey nobody would notice. */
function requireNobodyStranded(before: readonly Lift[], ids: readonly number[]): void {
  const waited = new Set(findStranded(before).map(({ id }) => id))
  const after = before
    .map((lift) => ({ ...lift, position: ids.indexOf(lift.id) + 1 }))
    .sort((one, other) => one.position - other.position)
  const stranded = findStranded(after).filter(({ id }) => !waited.has(id))
  if (stranded.length > 0) throw invalid({ order: stranded.map(({ message }) => message) })
}

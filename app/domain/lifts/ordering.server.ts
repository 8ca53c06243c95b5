/** The order of a journey's lifts. */
import { sql } from 'kysely'
import { record } from '../audit/audit.server.ts'
import { invalid } from '../errors.ts'
import type { Scope } from '../scope.server.ts'
import { requireOpen } from './authoring.server.ts'
import type { Lift } from './lift.ts'
import { listLifts } from './lifts.server.ts'

/** All lifts of the journey, each once, in their new order. */
export async function orderLifts(scope: Scope, journeyId: number, ids: readonly number[]): Promise<Lift[]> {
  await requireOpen(scope, journeyId)
  const before = (await listLifts(scope, journeyId)).map((lift) => lift.id)
  requireSameThings('lift_ids', before, ids)
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
  return listLifts(scope, journeyId)
}

/** An order names everything there is: whoever reordered an older list is told so. */
export function requireSameThings(field: string, there: readonly number[], named: readonly number[]): void {
  const isSame = named.length === there.length && new Set(named).size === named.length
  if (!isSame || !named.every((id) => there.includes(id)))
    throw invalid({ [field]: ['Something was added or removed meanwhile; load the page again.'] })
}

/** Starts scheduled journeys automatically. */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'

/**
 * A scheduled journey becomes active with its first due occurrence. Checked lift by lift, as an index knows the first
 * occurrence of each.
 */
export async function activateDue({ db }: Scope, id: number): Promise<void> {
  await sql`update journeys j set status = 'active' where j.id = ${id} and j.status = 'scheduled'
    and exists (select from lifts l cross join lateral (select from occurrences o where o.tenant_id = l.tenant_id
      and o.lift_id = l.id and o.due_at <= (select clock_timestamp() + (scope_now() - now())) limit 1) due where l.journey_id = j.id)`.execute(
    db,
  )
}

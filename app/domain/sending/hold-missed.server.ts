/** After a restore: a message due since the backup may have left already, so it waits for a person's decision. */
import { sql } from 'kysely'
import { writeFacts } from '../occurrences/facts.server.ts'
import type { Database, Scope } from '../scope/scope.server.ts'

/** So many take a few seconds: a statement that takes long is cut off. */
const AT_ONCE = 2000

/** Tenants with due messages; read with the worker's role, which sees only the send table. */
export async function tenantsWithDue(database: Database): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    select distinct tenant_id from dispatches
    where state in ('planned', 'claimed') and next_attempt_at <= now()`.execute(database)
  return rows.map((row) => row.tenant_id)
}

/** `lifts`: of each turn that now has to be sent manually; reminders are dropped. */
type Found = { missed: number; lifts: number[] }

/** Has to be repeated until nothing is missed. */
export async function holdMissed(scope: Scope): Promise<Found> {
  const { rows } = await sql<{ occurrence_id: number; kind: string }>`
    with missed as materialized (
      select id from dispatches where state in ('planned', 'claimed') and next_attempt_at <= now()
      order by occurrence_id, id limit ${AT_ONCE} for update
    )
    update dispatches set state = 'expired', error_code = 'restored', lease_owner = null, lease_until = null
    where id = any(array(select id from missed))
    returning occurrence_id, kind`.execute(scope.db)
  const ids = rows.flatMap((row) => (row.kind === 'reminder' ? [] : [row.occurrence_id]))
  if (ids.length === 0) return { missed: rows.length, lifts: [] }
  const held = await scope.db
    .updateTable('occurrences')
    .set({ state: 'held' })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('state', 'in', ['planned', 'due'])
    .returning('lift_id')
    .execute()
  await writeFacts(scope, ids)
  return { missed: rows.length, lifts: held.map(({ lift_id }) => lift_id) }
}

/** After a restore: a message due since the backup may have left already, so it waits for a person's decision. */
import { sql } from 'kysely'
import { writeFacts } from '../occurrences/facts.server.ts'
import type { Database, Scope } from '../scope/scope.server.ts'

/** Tenants with due messages; read with the worker's role, which sees only the send table. */
export async function tenantsWithDue(database: Database): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    select distinct tenant_id from dispatches
    where state in ('planned', 'claimed') and next_attempt_at <= now()`.execute(database)
  return rows.map((row) => row.tenant_id)
}

/** Returns the number of lifts that now have to be sent manually; their reminders are dropped. */
export async function holdMissed(scope: Scope): Promise<number> {
  const { rows } = await sql<{ occurrence_id: number; kind: string }>`
    with missed as materialized (
      select id from dispatches where state in ('planned', 'claimed') and next_attempt_at <= now()
      order by occurrence_id, id for update
    )
    update dispatches set state = 'expired', error_code = 'too_late', lease_owner = null, lease_until = null
    where id = any(array(select id from missed))
    returning occurrence_id, kind`.execute(scope.db)
  const ids = rows.flatMap((row) => (row.kind === 'reminder' ? [] : [row.occurrence_id]))
  if (ids.length === 0) return 0
  await scope.db
    .updateTable('occurrences')
    .set({ state: 'held' })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where('state', 'in', ['planned', 'due'])
    .execute()
  await writeFacts(scope, ids)
  return ids.length
}

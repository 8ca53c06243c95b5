/** Which occurrences no edit moves any more, and how an edit keeps the sender from moving them meanwhile. */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'

/** A message that is held is due when nobody will ask. */
export const NEVER = sql<Date>`'9999-12-31'::timestamptz`

/** Of the occurrence `o`: a message has left or is leaving, somebody saw it, or it stands in the list without one. */
export const IS_SETTLED = sql<boolean>`(o.opened_at is not null
  or o.state not in ('planned', 'held', 'due', 'cancelled')
  or exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    and (d.sent_at is not null or d.state in ('claimed', 'sending', 'unknown') or d.error_code = 'todo_only')))`

/** Waits for messages that are leaving and holds all others until the transaction ends, claimed ones too. */
export async function lockDispatches(
  { db }: Pick<Scope, 'db'>,
  occurrenceIds: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ id: number; state: string }>`
    select d.id, d.state from unnest(${occurrenceIds}::bigint[]) as occurrence (id) cross join lateral (
      select id, state from dispatches where occurrence_id = occurrence.id and state in ('planned', 'claimed', 'sending')
      order by id for update) d`.execute(db)
  const claimed = rows.filter((row) => row.state === 'claimed').map((row) => row.id)
  if (claimed.length > 0)
    await db
      .updateTable('dispatches')
      .set({ state: 'planned', lease_owner: null, lease_until: null })
      .where('id', 'in', claimed)
      .execute()
}

/** Senders take this lock together; who changes what a whole journey sends waits for them, and they for that. */
const lockOf = (journeyId: number) =>
  sql`hashtextextended(scope_tenant()::text || 'journey ' || (${journeyId})::bigint, 0)`

/** From here on nothing of the journey leaves until the transaction ends. */
export async function stopSenders({ db }: Pick<Scope, 'db'>, journeyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockOf(journeyId)})`.execute(db)
}

export async function joinSenders({ db }: Pick<Scope, 'db'>, journeyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockOf(journeyId)})`.execute(db)
}

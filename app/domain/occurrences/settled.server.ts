/** Which occurrences edits can no longer move, and the locks that keep the sender away during an edit. */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'

/** The due time of held messages: no query for due ones reaches it. */
export const NEVER = sql<Date>`'9999-12-31'::timestamptz`

/** A message of the occurrence `o` has left or is leaving, somebody has seen it, or it is in the to-do list without a message. */
export const IS_SETTLED = sql<boolean>`(o.opened_at is not null
  or o.state not in ('planned', 'held', 'due', 'cancelled')
  or exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    and (d.sent_at is not null or d.state in ('claimed', 'sending', 'unknown') or d.error_code = 'todo_only')))`

/** Waits for messages that are being sent, and locks all others until the transaction ends, claimed ones too. */
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

/** Senders share this lock; a change of what a whole journey sends takes it exclusively. */
const lockOf = (journeyId: number) =>
  sql`hashtextextended(scope_tenant()::text || 'journey ' || (${journeyId})::bigint, 0)`

/** Nothing of the journey leaves from here until the transaction ends. */
export async function stopSenders({ db }: Pick<Scope, 'db'>, journeyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockOf(journeyId)})`.execute(db)
}

export async function joinSenders({ db }: Pick<Scope, 'db'>, journeyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockOf(journeyId)})`.execute(db)
}

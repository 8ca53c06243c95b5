/** Which turns no edit moves any more, and how an edit keeps the sender from moving them meanwhile. */
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../scope.server.ts'

/** A message that is held is due when nobody will ask. */
export const NEVER = sql<Date>`'9999-12-31'::timestamptz`

/** Of the occurrence `o`: a message has left or is leaving, somebody saw it, or it stands in the list without one. */
export const IS_SETTLED = sql<boolean>`(o.opened_at is not null
  or o.state not in ('planned', 'held', 'due', 'cancelled')
  or exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    and (d.sent_at is not null or d.state in ('claimed', 'sending', 'unknown') or d.error_code = 'todo_only')))`

/**
 * Waits for the messages that are just leaving and keeps all others where they are until the transaction ends.
 * The statement that follows sees what has left meanwhile.
 */
export async function lockMessages({ db }: Pick<Scope, 'db'>, which: RawBuilder<boolean>): Promise<void> {
  await sql`select from dispatches d where d.state in ('planned', 'claimed', 'sending')
    and exists (select from occurrences o where o.tenant_id = d.tenant_id and o.id = d.occurrence_id and ${which})
    order by d.id for update`.execute(db)
}

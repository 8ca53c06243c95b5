/** What became of a message after its carrier had taken it. Told twice, or out of order, it stays what it is. */
import { sql } from 'kysely'
import { writeFact } from '../analytics/facts.server.ts'
import type { Scope } from '../scope.server.ts'
import { recordAccepted } from './receipts.server.ts'

type Told = { provider_id: string; delivered: boolean; code: string | null }

/** `key` is that of the message; those of other messages than lifts say nothing here. */
export async function recordDelivery(scope: Scope, key: string, told: Told): Promise<void> {
  const id = Number(new RegExp(`^${scope.actor.tenant_id}:(\\d{1,15})$`).exec(key)?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(id)) return
  const known = await scope.db
    .selectFrom('dispatches')
    .select(['state', 'provider_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!known || (known.provider_id !== null && known.provider_id !== told.provider_id)) return
  // Faster than the answer to our own request, or all that is left of it.
  if (known.state === 'sending' || known.state === 'unknown')
    await recordAccepted(scope, id, { provider_id: told.provider_id })
  const row = await scope.db
    .updateTable('dispatches')
    .set(
      told.delivered
        ? { state: 'delivered', delivered_at: sql`coalesce(delivered_at, now())` }
        : { state: 'undelivered', error_code: told.code },
    )
    .where('id', '=', id)
    .where('state', '=', 'accepted')
    .returning('occurrence_id')
    .executeTakeFirst()
  if (row) await writeFact(scope, row.occurrence_id)
}

/** What became of a message after its carrier had taken it. Told twice, or out of order, it stays what it is. */
import { sql } from 'kysely'
import { writeFact } from '../occurrences/facts.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { recordAccepted, recordNumber } from './receipts.server.ts'

type Told = {
  provider_id: string
  delivered: boolean
  code: string | null
  /** What the carrier says of the number: nothing more is sent there, and this goes by e-mail. */
  number?: 'opted_out' | 'invalid_number' | undefined
}

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
  const isUnderWay = known.state === 'sending' || known.state === 'unknown'
  if (isUnderWay || (told.delivered && isUnsent(known.state)))
    await recordAccepted(scope, { id, provider_id: told.provider_id })
  const row = await scope.db
    .updateTable('dispatches')
    .set(
      told.delivered
        ? {
            state: 'delivered',
            delivered_at: sql`coalesce(delivered_at, scope_now())`,
            provider_id: told.provider_id,
          }
        : { state: 'undelivered', error_code: told.code, provider_id: told.provider_id },
    )
    .where('id', '=', id)
    .where('state', '=', 'accepted')
    .returning('occurrence_id')
    .executeTakeFirst()
  if (row) await writeFact(scope, row.occurrence_id)
  if (row && told.number) await recordNumber(scope, id, told.number)
}

/** Given up for lost, by us or by people: what arrives yet, has. */
const isUnsent = (state: string) => ['planned', 'claimed', 'failed', 'suppressed', 'expired'].includes(state)

/** Delivery reports for messages that a carrier had accepted. Idempotent, and independent of their order. */
import { sql } from 'kysely'
import { writeFact } from '../occurrences/facts.server.ts'
import { lockMessagesTo } from '../planning/runs/replan-channels.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { recordAccepted, recordNumber } from './receipts.server.ts'

type Told = {
  provider_id: string
  delivered: boolean
  code: string | null
  /** The carrier's report on the number: no more texts go there, and this message goes by e-mail. */
  number?: 'opted_out' | 'invalid_number' | undefined
}

/** `key`: the key of the message; reports on messages other than lifts are ignored. */
export async function recordDelivery(scope: Scope, key: string, told: Told): Promise<void> {
  const id = Number(new RegExp(`^${scope.actor.tenant_id}:(\\d{1,15})$`).exec(key)?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(id)) return
  if (told.number) await lockMessagesTo(scope, { of: id })
  const known = await scope.db
    .selectFrom('dispatches')
    .select(['state', 'provider_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!known || (known.provider_id !== null && known.provider_id !== told.provider_id)) return
  // The report may arrive before the answer to our own request, or instead of it.
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

/** Messages that we or people had given up: a delivery report still counts. */
const isUnsent = (state: string) => ['planned', 'claimed', 'failed', 'suppressed', 'expired'].includes(state)

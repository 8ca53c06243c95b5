/** The keys of messages that a real carrier accepted; their content is not stored. */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'

/** No retry needs a key for longer than this. */
const KEPT_DAYS = 30

/** The recipient of a message, and its journey, if it is about one. */
export type OfJourney = { user_id: number; journey_id: number | null }

export async function keepSent({ actor, db }: Scope, key: string, provider_id: string): Promise<void> {
  await db
    .insertInto('sent_messages')
    .values({ tenant_id: actor.tenant_id, key, provider_id })
    .onConflict((clash) => clash.columns(['tenant_id', 'key']).doUpdateSet({ provider_id }))
    .execute()
  await db
    .deleteFrom('sent_messages')
    .where('created_on', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute()
}

/** Records that sending begins; false if another run of the same job has begun it meanwhile. */
export async function beginSent(
  { actor, db }: Scope,
  key: string,
  provider_id: string,
  about?: OfJourney & { channel: 'sms' | 'email' },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sent_messages')
    .values({ tenant_id: actor.tenant_id, key, provider_id, ...about })
    .onConflict((clash) => clash.columns(['tenant_id', 'key']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** For a message that the carrier certainly did not accept. */
export async function forgetSent({ db }: Scope, key: string): Promise<void> {
  await db.deleteFrom('sent_messages').where('key', '=', key).execute()
}

export async function findSent({ db }: Scope, key: string): Promise<string | null> {
  const row = await db
    .selectFrom('sent_messages')
    .select('provider_id')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.provider_id ?? null
}

/** Whether the tenant is the one whose messages never leave. */
export async function isTestingTenant({ actor, db }: Scope): Promise<boolean> {
  const row = await db
    .selectFrom('tenants')
    .select('is_testing')
    .where('id', '=', actor.tenant_id)
    .executeTakeFirst()
  return row?.is_testing === true
}

/**
 * A POST with an Idempotency-Key runs once, and a repeat gets the first answer. Nothing is stored for calls that
 * return secrets.
 */
import { createHash } from 'node:crypto'
import { invalid, Refusal } from '#app/domain/errors.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import type { Call } from './contract/call.ts'

export type Done = { status: number; value: unknown; is_replayed?: boolean }

const MAX_LENGTH = 200

type Keyed = { key?: string | undefined; fingerprint(): Promise<string> }

export async function answerOnce(
  call: Call,
  { key: sent, fingerprint }: Keyed,
  scope: Scope,
  work: () => Promise<unknown>,
): Promise<Done> {
  const status = call.status ?? 200
  const { tenant_id, sub_tenant_id, user_id, api_key } = scope.actor
  if (!sent || call.method !== 'POST' || user_id === null) return { status, value: await work() }
  if (sent.length > MAX_LENGTH) throw new Refusal(400, 'The Idempotency-Key is too long.')
  const key = api_key ? ofApiKey(api_key.id, sent) : sent

  // The same body in another sub-tenant is another request.
  const request_hash = createHash('sha256')
    .update(`${sub_tenant_id ?? ''}\n`)
    .update(await fingerprint())
    .digest()
  // A repeat that arrives while the first is running blocks on this insert until the first commits.
  const first = await scope.db
    .insertInto('idempotency_keys')
    .values({ tenant_id, user_id, key, request_hash })
    .onConflict((clash) => clash.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (!first) return replay(scope, { user_id, key }, request_hash)

  const value = await work()
  // Neither the answer nor the hash of a request with secrets stays: a password could be guessed from the hash.
  const done = scope.db.updateTable('idempotency_keys').set({ status, body: JSON.stringify(value) })
  const forgotten = scope.db.deleteFrom('idempotency_keys')
  if (call.repeats === 'each time')
    await forgotten.where('user_id', '=', user_id).where('key', '=', key).execute()
  else await done.where('user_id', '=', user_id).where('key', '=', key).execute()
  return { status, value }
}

/** Keeps the stored answers of an API key apart from those of its maker and of the maker's other keys. */
function ofApiKey(id: number, sent: string): string {
  const key = `${id}@api_key ${sent}`
  return key.length > MAX_LENGTH
    ? `${id}@api_key ${createHash('sha256').update(sent).digest('base64url')}`
    : key
}

async function replay(
  { db }: Scope,
  { user_id, key }: { user_id: number; key: string },
  request_hash: Buffer,
): Promise<Done> {
  const stored = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'body'])
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (!stored.request_hash.equals(request_hash))
    throw invalid({ 'Idempotency-Key': ['This key was used for another request.'] })
  return { status: stored.status ?? 200, value: JSON.parse(stored.body ?? 'null'), is_replayed: true }
}

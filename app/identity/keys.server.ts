/** New signing keys are published before they sign, so that rotation interrupts no process. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Pool } from 'pg'
import type { Secrets } from './factors/secrets.server.ts'

export type SigningKey = JWK & { kid: string }

/** Longer than processes and verifiers cache the keys. */
const PUBLISHED_FIRST = '2 minutes'
/** How long a retired key is published: longer than any session, whose sign-out presents a token signed with it. */
const KEPT = '32 days'

/** The signing key comes first. */
export async function loadSigningKeys(
  database: Pool,
  secrets: Secrets,
  poolId: string,
): Promise<SigningKey[]> {
  const stored = await readKeys(database, secrets, poolId)
  if (stored.length > 0) return stored

  const key = await createKey()
  const client = await database.connect()
  try {
    await client.query('begin')
    await client.query("select pg_advisory_xact_lock(hashtext('identity.signing_keys:' || $1))", [poolId])
    await client.query(
      `insert into identity.signing_keys (pool_id, kid, jwk_sealed)
       select $1, $2, $3 where not exists (select from identity.signing_keys where pool_id = $1)`,
      [poolId, key.kid, secrets.seal(JSON.stringify(key))],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
  return readKeys(database, secrets, poolId)
}

async function readKeys(database: Pool, secrets: Secrets, poolId: string): Promise<SigningKey[]> {
  const { rows } = await database.query<{ jwk_sealed: string }>(
    `select jwk_sealed from identity.signing_keys where pool_id = $1
     order by created_on > now() - $2::interval, created_on desc, kid`,
    [poolId, PUBLISHED_FIRST],
  )
  try {
    return rows.map((row) => JSON.parse(secrets.unseal(row.jwk_sealed)))
  } catch (cause) {
    throw new Error('The signing keys in the database were sealed with another APP_SECRET.', { cause })
  }
}

/** Adds a new key to every pool that has one, and deletes those retired for longer than `KEPT`. Returns the pools. */
export async function rotateSigningKeys(database: Pool, secrets: Secrets): Promise<string[]> {
  const { rows: pools } = await database.query<{ pool_id: string }>(
    'select distinct pool_id from identity.signing_keys order by pool_id',
  )
  for (const { pool_id } of pools) {
    // Throws under another secret, before a key is added that nobody could open.
    await readKeys(database, secrets, pool_id)
    const key = await createKey()
    await database.query('insert into identity.signing_keys (pool_id, kid, jwk_sealed) values ($1, $2, $3)', [
      pool_id,
      key.kid,
      secrets.seal(JSON.stringify(key)),
    ])
  }
  await database.query(
    `delete from identity.signing_keys old where exists (select from identity.signing_keys newer
       where newer.pool_id = old.pool_id and newer.created_on > old.created_on
         and newer.created_on < now() - $1::interval)`,
    [KEPT],
  )
  return pools.map(({ pool_id }) => pool_id)
}

async function createKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig', alg: 'RS256' }
}

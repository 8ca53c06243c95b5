/** All keys of a pool are published before they sign, so that keys change without a break in any process. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Pool } from 'pg'
import type { Secrets } from './factors/secrets.server.ts'

export type SigningKey = JWK & { kid: string }

/** Longer than processes and verifiers go on with the keys they know. */
const PUBLISHED_FIRST = '2 minutes'
/** Of a key that signs no more: longer than the longest session, whose log-out shows a token it signed. */
const KEPT = '32 days'

/** The one that signs comes first. */
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

/** A new key for every pool that has one; those that nothing can be signed with any more go. Answers the pools. */
export async function rotateSigningKeys(database: Pool, secrets: Secrets): Promise<string[]> {
  const { rows: pools } = await database.query<{ pool_id: string }>(
    'select distinct pool_id from identity.signing_keys order by pool_id',
  )
  for (const { pool_id } of pools) {
    // With another secret a key would be added that nobody can open.
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

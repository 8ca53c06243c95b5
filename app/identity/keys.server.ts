/** The keys a pool signs its tokens with. The newest signs, all are published, so that keys can be changed without a break. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Pool } from 'pg'
import type { Secrets } from './secrets.server.ts'

export type SigningKey = JWK & { kid: string }

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
    'select jwk_sealed from identity.signing_keys where pool_id = $1 order by created_on desc, kid',
    [poolId],
  )
  try {
    return rows.map((row) => JSON.parse(secrets.unseal(row.jwk_sealed)))
  } catch (cause) {
    throw new Error('The signing keys in the database were sealed with another APP_SECRET.', { cause })
  }
}

async function createKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig', alg: 'RS256' }
}

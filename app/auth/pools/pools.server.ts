/** The pools people sign in with: who vouches for them, and at which endpoints. */
import { type Selectable, sql } from 'kysely'
import { getOwnAddress } from '#app/auth/own-address.server.ts'
import { PoolConfigurationError } from '#app/auth/principal.ts'
import { deriveClientSecret, unseal } from '#app/auth/seal.server.ts'
import { getConfig } from '#app/config.server.ts'
import type { Pools } from '#app/db/schema.ts'
import { PoolSettings } from '#app/domain/pools/settings.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'

export const DEFAULT_POOL = 'default'
export const OWN_CLIENT = 'liftwell'

export type Pool = Omit<Selectable<Pools>, 'kind' | 'login_mode' | 'settings'> & {
  kind: 'embedded' | 'cognito' | 'oidc'
  login_mode: 'screens' | 'redirect'
  settings: PoolSettings
}

/** The pool of an address; an unknown address gets the default one, in the same time. */
export async function findPoolByEmail(database: Database, email: string): Promise<Pool | null> {
  const { rows } = await sql<Selectable<Pools>>`select * from find_pool(${email}::citext)`.execute(database)
  return rows[0] ? toPool(rows[0]) : null
}

export async function findPool(database: Database, id: string): Promise<Pool | null> {
  const row = await database.selectFrom('pools').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toPool(row) : null
}

/** The pool with whatever is valid in its settings, for a screen that corrects them. */
export async function findRawPool(database: Database, id: string): Promise<Pool | null> {
  const row = await database.selectFrom('pools').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toRawPool(row) : null
}

export function toRawPool(row: Selectable<Pools>): Pool {
  const settings = PoolSettings.safeParse(row.settings)
  return { ...row, settings: settings.data ?? PoolSettings.parse({}) } as Pool
}

/** All pools; few and rarely changed, so the check of bearer tokens caches them. */
export async function listPools(database: Database): Promise<Pool[]> {
  const rows = await database.selectFrom('pools').selectAll().execute()
  // A pool with broken settings must not keep out the people of other pools.
  return rows.flatMap((row) => (PoolSettings.safeParse(row.settings).success ? [toPool(row)] : []))
}

export async function embeddedPools(database: Database): Promise<Pool[]> {
  return (await listPools(database)).filter((pool) => pool.kind === 'embedded')
}

/** Creates a missing default pool. `user_identities` refer to its stored issuer, so people stay known at another origin. */
export async function keepDefaultPool(database: Database, origin: string): Promise<void> {
  await database
    .insertInto('pools')
    .values({
      id: DEFAULT_POOL,
      name: 'Liftwell',
      kind: 'embedded',
      issuer: `${origin}/idp/${DEFAULT_POOL}`,
      client_id: OWN_CLIENT,
      is_default: true,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The issuer in the pool's tokens. An embedded pool's follows the current public origin, not the stored one. */
export const issuerOf = (pool: Pool): string =>
  pool.kind === 'embedded' ? `${getConfig().PUBLIC_ORIGIN}/idp/${pool.id}` : pool.issuer

/** The audience of a pool's access tokens; Cognito's have none. */
export function audienceOf(pool: Pool): string | undefined {
  if (pool.kind === 'cognito') return undefined
  return pool.settings.audience ?? `${getConfig().PUBLIC_ORIGIN}/api/v1`
}

export const poolSecretContext = (pool_id: string): string => `pool:${pool_id}`

export function clientSecretOf(pool: Pool): string | null {
  if (pool.kind === 'embedded') return deriveClientSecret(pool.id, pool.client_id)
  return pool.client_secret_sealed === null
    ? null
    : unseal(pool.client_secret_sealed, poolSecretContext(pool.id))
}

export type Endpoints = {
  authorization: string
  token: string
  revocation: string | undefined
  end_session: string | undefined
  jwks: string
}

/** Known without discovery: an embedded pool's paths are Cognito's, other pools store theirs. */
export function endpointsOf(pool: Pool): Endpoints {
  const { settings } = pool
  const issuer = issuerOf(pool)
  const front = settings.domain ?? issuer
  const own = getOwnAddress()
  const back = pool.kind === 'embedded' && own ? `${own}/idp/${pool.id}` : front
  const known = pool.kind !== 'oidc'
  return {
    authorization: settings.authorization_endpoint ?? `${front}/oauth2/authorize`,
    token: settings.token_endpoint ?? `${back}/oauth2/token`,
    revocation: settings.revocation_endpoint ?? (known ? `${back}/oauth2/revoke` : undefined),
    end_session: settings.end_session_endpoint ?? (known ? `${front}/logout` : undefined),
    jwks: settings.jwks_uri ?? `${pool.kind === 'embedded' ? back : issuer}/.well-known/jwks.json`,
  }
}

/** Whether an address is on another site, to which the answer to a form must not redirect directly. */
export const isForeign = (address: string): boolean => new URL(address).origin !== getConfig().PUBLIC_ORIGIN

function toPool(row: Selectable<Pools>): Pool {
  const { success, data, error } = PoolSettings.safeParse(row.settings)
  if (!success) throw new PoolConfigurationError(row.id, `Its settings are wrong: ${error.message}`)
  return { ...row, settings: data } as Pool
}

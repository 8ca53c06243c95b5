/** The configured providers; the other server's GET /users/pool names one of them for each address. */
import { getConfig } from '#app/config.server.ts'
import { PoolSettings } from '#app/domain/pools/settings.ts'
import { askServer } from '#app/elsewhere/ask.server.ts'
import { type NamedPool, readPool } from '#app/elsewhere/pool.server.ts'
import { discover } from '../pools/pool-discovery.server.ts'
import { type Pool, poolSecretContext } from '../pools/pools.server.ts'
import { PoolConfigurationError } from '../principal.ts'
import { seal } from '../seal.server.ts'

export type ProviderName = 'oidc' | 'cognito'
export type Chosen = { pool: Pool; provider: ProviderName; client: string | null; tenant_id: string | null }

/** Throws a `PoolConfigurationError` when nobody with that address could sign in. */
export async function chooseProvider(email: string): Promise<Chosen> {
  const named = readPool(
    await askServer({ method: 'GET', path: ['users', 'pool'], query: { email } }, null).catch(noPool),
  )
  if (!named) throw new PoolConfigurationError('of the server', 'GET /users/pool names no pool.')
  const provider = providerOf(named)
  return {
    pool: await poolOf(provider, named.client),
    provider,
    client: named.client,
    tenant_id: named.tenant_id,
  }
}

/** For an address that the server does not know, the visitor only learns of a configuration error. */
function noPool(error: unknown): never {
  if (!(error instanceof Response) || ![401, 402, 403, 404, 405].includes(error.status)) throw error
  throw new PoolConfigurationError('of the server', `GET /users/pool answers ${error.status}.`)
}

function providerOf({ pool, client }: NamedPool): ProviderName {
  const { COGNITO_USER_POOL_ID, OIDC_ISSUER, OIDC_CLIENT_ID } = getConfig()
  if (COGNITO_USER_POOL_ID !== undefined && pool === COGNITO_USER_POOL_ID) return 'cognito'
  if (OIDC_ISSUER !== undefined && (pool === OIDC_ISSUER || client === OIDC_CLIENT_ID)) return 'oidc'
  throw new PoolConfigurationError(pool, 'GET /users/pool names a provider that is not among the settings.')
}

/** `client`: the client that the server names, where a user pool has several. */
export function poolOf(provider: ProviderName, client: string | null): Promise<Pool> {
  return provider === 'cognito' ? Promise.resolve(cognito(client)) : openId()
}

const bare = (kind: ProviderName, issuer: string, client_id: string, secret: string | undefined): Pool => ({
  id: kind,
  name: kind,
  kind,
  login_mode: 'redirect',
  issuer,
  client_id,
  client_secret_sealed: secret === undefined ? null : seal(secret, poolSecretContext(kind)),
  is_default: true,
  settings: PoolSettings.parse({}),
  created_on: new Date(0),
})

function cognito(client: string | null): Pool {
  const { COGNITO_USER_POOL_ID = '', COGNITO_CLIENT_ID = '', COGNITO_CLIENT_SECRET, ...rest } = getConfig()
  const region = COGNITO_USER_POOL_ID.split('_')[0]
  const issuer = rest.COGNITO_ISSUER ?? `https://cognito-idp.${region}.amazonaws.com/${COGNITO_USER_POOL_ID}`
  // With a configured secret, only the configured client can be used.
  const client_id = COGNITO_CLIENT_SECRET === undefined ? (client ?? COGNITO_CLIENT_ID) : COGNITO_CLIENT_ID
  const pool = bare('cognito', issuer, client_id, COGNITO_CLIENT_SECRET)
  return { ...pool, settings: PoolSettings.parse({ domain: rest.COGNITO_DOMAIN?.replace(/\/$/, '') }) }
}

const KEPT_MS = 60 * 60 * 1000
let known: { pool: Promise<Pool>; until: number } | undefined

/** Caches the discovered metadata for an hour; a failure is retried at the next sign-in. */
function openId(): Promise<Pool> {
  if (known && known.until > performance.now()) return known.pool
  const pool = discovered()
  known = { pool, until: performance.now() + KEPT_MS }
  pool.catch(() => {
    known = undefined
  })
  return pool
}

async function discovered(): Promise<Pool> {
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET } = getConfig()
  const pool = bare('oidc', OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET)
  const { checks, discovered: said, names_itself } = await discover(pool)
  const problem = checks.find(({ ok }) => !ok)
  if (problem) throw new PoolConfigurationError(OIDC_ISSUER, problem.text)
  const settings = PoolSettings.parse({
    ...said,
    ...(names_itself ? { authorization_response_iss_parameter_supported: true } : {}),
  })
  return { ...pool, settings }
}

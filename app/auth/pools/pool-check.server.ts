/** Tests a pool as far as possible without signing anyone in, and describes the result in words. */
import { createPublicKey, type JsonWebKey, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isOnScreens } from '#app/auth/cognito/attempts.server.ts'
import { CognitoRefusal } from '#app/auth/cognito/errors.ts'
import { asJson, askOutside, OutsideError, requireOutside } from '#app/auth/outside.server.ts'
import { PoolConfigurationError, ProviderAwayError } from '#app/auth/principal.ts'
import { getConfig } from '#app/config.server.ts'
import { type PoolReport, whatIsMissing } from '#app/domain/pools/pool.ts'
import { authenticated } from './client-authentication.server.ts'
import { bad, type Check, discover, good } from './pool-discovery.server.ts'
import { clientSecretOf, endpointsOf, type Pool } from './pools.server.ts'

export async function checkPool(pool: Pool): Promise<PoolReport> {
  if (pool.kind === 'embedded')
    return { ok: true, checks: [good('People sign in with the platform’s own provider.')], discovered: {} }
  const found = await discover(pool)
  const { discovered } = found
  const { issuer: _, ...endpoints } = discovered
  // Typed endpoints win over discovered ones, because they are the ones that will be used.
  const tried: Pool = { ...pool, settings: { ...endpoints, ...pool.settings } }
  const checks = [...found.checks]
  if (isComplete(tried)) {
    const tests = isOnScreens(tried) ? [checkKeys, checkApi] : [checkKeys, checkClient, checkWayOut]
    for (const test of tests) checks.push(await said(test(tried)))
  } else checks.push(bad('Some of its addresses, or the client ID, are still missing.'))
  return { ok: checks.every(({ ok }) => ok), checks, discovered }
}

const isComplete = ({ kind, login_mode, issuer, client_id, settings }: Pool): boolean =>
  Object.keys(whatIsMissing({ ...settings, kind, login_mode, issuer, client_id })).length === 0

function said(test: Promise<Check>): Promise<Check> {
  return test.catch((error: unknown) => {
    if (error instanceof OutsideError) return bad(error.message)
    throw error
  })
}

async function checkKeys(pool: Pool): Promise<Check> {
  const { status, text } = await askOutside(endpointsOf(pool).jwks)
  const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })
  const { data } = Keys.safeParse(status === 200 ? asJson(text) : null)
  if (!data) return bad(`Its keys cannot be read: the address answers ${status}, and no key set.`)
  return data.keys.some(isUsableKey)
    ? good('Its signing keys can be read.')
    : bad('None of its keys can verify RS256 or ES256.')
}

function isUsableKey(key: Record<string, unknown>): boolean {
  if (key.use !== undefined && key.use !== 'sig') return false
  try {
    const type = createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).asymmetricKeyType
    return type === 'rsa' || (type === 'ec' && key.crv === 'P-256')
  } catch {
    return false
  }
}

/** Signs in as an unknown person: a pool that accepts our screens refuses the person, not the client. */
async function checkApi(pool: Pool): Promise<Check> {
  const nobody = { username: `nobody-${randomBytes(8).toString('hex')}@example.com`, password: 'Nobody-1' }
  if (pool.settings.api_endpoint) requireOutside(pool.settings.api_endpoint)
  try {
    const { createCognitoClient } = await import('#app/auth/cognito/client.server.ts')
    const { signIn } = await import('#app/auth/cognito/sign-in.server.ts')
    await signIn(createCognitoClient(pool), nobody)
    return bad('Its API lets anyone in.')
  } catch (error) {
    if (error instanceof ProviderAwayError) return bad('Its API does not answer.')
    if (error instanceof PoolConfigurationError) return bad(`Its API refuses us: ${error.message}`)
    if (error instanceof CognitoRefusal) return good('Its API accepts our screens.')
    throw error
  }
}

/** Sends an invented code: a provider that knows the client refuses the code, not the client. */
async function checkClient(pool: Pool): Promise<Check> {
  const asked = authenticated(pool, {
    grant_type: 'authorization_code',
    code: randomBytes(16).toString('base64url'),
    redirect_uri: `${getConfig().PUBLIC_ORIGIN}/auth/callback`,
    code_verifier: randomBytes(32).toString('base64url'),
  })
  const { status, text } = await askOutside(endpointsOf(pool).token, asked)
  const { data } = z.object({ error: z.string() }).safeParse(asJson(text))
  if (data?.error === 'invalid_grant') return good('It knows the client and accepts its secret.')
  if (data?.error === 'invalid_client')
    return bad(
      clientSecretOf(pool) === null
        ? 'It does not know the client ID, or wants a client secret with it.'
        : 'It does not know the client ID, or the client secret is another one.',
    )
  return bad(
    `Its token endpoint answers ${status}${data ? ` (${data.error})` : ', and not in OAuth’s words'}.`,
  )
}

/** Opens the authorization page: a provider that does not know our callback says so on a page of its own. */
async function checkWayOut(pool: Pool): Promise<Check> {
  const callback = `${getConfig().PUBLIC_ORIGIN}/auth/callback`
  const url = new URL(endpointsOf(pool).authorization)
  const asked = {
    response_type: 'code',
    client_id: pool.client_id,
    redirect_uri: callback,
    scope: (pool.settings.scopes ?? ['openid', 'email', 'profile']).join(' '),
    state: 'test',
    nonce: randomBytes(16).toString('base64url'),
    code_challenge: randomBytes(32).toString('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  const { status, location } = await askOutside(url.href, { headers: { accept: 'text/html' } })
  const error = location?.startsWith(callback) ? new URL(location).searchParams.get('error') : null
  if (error && error !== 'login_required') return bad(`Its sign-in page refuses us: ${error}.`)
  if (status >= 400 || /redirect_mismatch|redirect_uri/i.test(location ?? ''))
    return bad(`Its sign-in page answers ${status}: register ${callback} there as a redirect address.`)
  return good('Its sign-in page accepts our people.')
}

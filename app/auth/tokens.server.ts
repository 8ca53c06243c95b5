/** Verifies a provider's tokens: ID tokens at sign-in, access tokens at the API. */
import { timingSafeEqual } from 'node:crypto'
import {
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { askOutside } from './outside.server.ts'
import { audienceOf, endpointsOf, issuerOf, type Pool } from './pools/pools.server.ts'
import { ProviderAwayError, UnauthorizedError } from './principal.ts'
import { quoted, whyRefused } from './token-refusals.ts'

/** Asymmetric algorithms only: under HS256 anyone with the public key could sign. */
const ALGORITHMS = ['RS256', 'ES256']
const SKEW_SECONDS = 60
const LONGEST_TOKEN = 8192
/** Header parameters that bring, or point to, a key of the sender's choice. */
const FOREIGN_KEYS = ['jku', 'jwk', 'x5u', 'x5c']

export type Claims = JWTPayload & { sub: string }

/** The nonce ties an ID token to the browser that began the sign-in. */
export async function verifyIdToken(pool: Pool, token: string, nonce: string | null): Promise<Claims> {
  const claims = await verify(pool, token, { audience: pool.client_id }, newest(keysOf(pool)))
  if (nonce !== null && !isSame(claims.nonce, nonce))
    throw new UnauthorizedError('The nonce is not the one that this sign-in was begun with.')
  if (Array.isArray(claims.aud) && claims.aud.length > 1 && claims.azp !== pool.client_id)
    throw new UnauthorizedError(`The token is for the client ${quoted(claims.azp)}.`)
  if ('token_use' in claims && claims.token_use !== 'id')
    throw new UnauthorizedError('An access token is not an ID token.')
  return claims
}

export async function verifyAccessToken(pool: Pool, token: string): Promise<Claims> {
  const audience = audienceOf(pool)
  const claims = await verify(pool, token, audience === undefined ? {} : { audience })
  const isAccess =
    pool.kind === 'oidc' ? (claims.token_use ?? 'access') === 'access' : claims.token_use === 'access'
  if (!isAccess) throw new UnauthorizedError('This is not an access token.')
  if ((claims.client_id ?? claims.azp) !== pool.client_id)
    throw new UnauthorizedError('The access token is for another client.')
  return claims
}

export const isExpired = ({ exp = 0 }: Claims): boolean => exp + SKEW_SECONDS <= Date.now() / 1000

async function verify(
  pool: Pool,
  token: string,
  options: { audience?: string },
  keys: JWTVerifyGetKey = keysOf(pool),
): Promise<Claims> {
  if (token.length > LONGEST_TOKEN) throw new UnauthorizedError('The token is too long.')
  try {
    const header = decodeProtectedHeader(token)
    if (FOREIGN_KEYS.some((name) => name in header))
      throw new UnauthorizedError('The token brings its own key.')
    const { payload } = await jwtVerify(token, keys, {
      ...options,
      issuer: issuerOf(pool),
      algorithms: ALGORITHMS,
      clockTolerance: SKEW_SECONDS,
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    if (typeof payload.sub !== 'string' || payload.sub === '')
      throw new UnauthorizedError('The token names nobody.')
    const ahead = Math.round((payload.iat ?? 0) - Date.now() / 1000)
    if (ahead > SKEW_SECONDS)
      throw new UnauthorizedError(
        `The token is ${ahead} seconds from the future. Is one of the two clocks wrong?`,
      )
    return { ...payload, sub: payload.sub }
  } catch (error) {
    if (error instanceof UnauthorizedError) throw error
    if (!isRefusal(error)) throw new ProviderAwayError(error)
    throw new UnauthorizedError(whyRefused(error, token, { issuer: issuerOf(pool), ...options }))
  }
}

/** A provider whose keys cannot be fetched is an outage, not a bad token. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof errors.JWKSTimeout) return false
  if (error instanceof errors.JOSEError) return error.code !== errors.JOSEError.code
  return error instanceof TypeError && /^Invalid Token|^Token must|^Invalid JWT/.test(error.message)
}

type KeySet = ReturnType<typeof createRemoteJWKSet>
const keySets = new Map<string, KeySet>()

/** Keys are fetched once and cached; an unknown key id causes a new fetch, at most every five seconds. */
function keysOf(pool: Pool): KeySet {
  const address = endpointsOf(pool).jwks
  const known = keySets.get(address)
  if (known) return known
  const keys = createRemoteJWKSet(new URL(address), {
    timeoutDuration: 5000,
    cooldownDuration: 5000,
    ...(pool.kind === 'embedded' ? {} : { [customFetch]: fetchOutside }),
  })
  keySets.set(address, keys)
  return keys
}

/** For tokens that came directly from the provider just now: an unknown key is fetched at once. */
const newest =
  (keys: KeySet): JWTVerifyGetKey =>
  async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      await keys.reload()
      return keys(header, token)
    }
  }

async function fetchOutside(address: string): Promise<Response> {
  const { status, text } = await askOutside(address)
  return new Response(text, { status })
}

function isSame(given: unknown, wanted: string): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

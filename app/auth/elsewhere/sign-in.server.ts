/** Signing in where another server names the provider: the browser keeps the sign-in in progress. */
import { randomBytes } from 'node:crypto'
import { Authenticator } from 'remix-auth'
import { whyOut } from '#app/elsewhere/person.server.ts'
import { type Arrival, outcomeOf, whyNoCode } from '../arrival.server.ts'
import { clearCookie, readCookie, readCookies, STATE_COOKIE, writeCookie } from '../cookies.server.ts'
import { ATTEMPT_SECONDS, type OAuthTokens, PoolStrategy } from '../pools/pool-strategy.server.ts'
import { isForeign, type Pool } from '../pools/pools.server.ts'
import { type Fresh, readTokens } from '../pools/provider-tokens.server.ts'
import { ProviderAwayError, UnauthorizedError } from '../principal.ts'
import { redirectTarget } from '../redirect-target.ts'
import { sessionEnd } from '../sessions/session-end.ts'
import { type Departure, leave, nobody, type Wish } from '../sign-in.server.ts'
import { verifyIdToken } from '../tokens.server.ts'
import { KeptAttempt } from './kept-session.ts'
import { chooseProvider, poolOf } from './providers.server.ts'
import { openValue, sealValue } from './sealed-cookies.server.ts'
import { keep } from './sessions.server.ts'
import { askWho } from './visit.server.ts'

const PURPOSE = 'attempt'
const ATTEMPT_COOKIE = '__Host-attempt'
/** How many unfinished sign-ins one browser keeps; few, because a sealed one is long. */
const MAX_ATTEMPTS = 4

export async function poolOfEmail(email: string): Promise<{ id: string }> {
  return { id: (await chooseProvider(email)).provider }
}

/** Only the address says which provider to use: without it, /login asks for one. */
export async function startSignIn(request: Request, _pool: string, wish: Wish): Promise<Departure | null> {
  const { redirect, remember, ...asked } = wish
  if (!asked.login_hint) return { location: '/login', is_foreign: false, cookies: [] }
  const { pool, provider, client, tenant_id } = await chooseProvider(asked.login_hint)
  const nonce = randomBytes(32).toString('base64url')
  const strategy = new PoolStrategy(pool, nobody, { ...asked, nonce })
  const answer = await leave(strategy, request)
  const location = answer.headers.get('location')
  if (!strategy.made || !location) throw new Error('The strategy made no authorization request.')
  const { state } = strategy.made
  const expires_at = Date.now() + ATTEMPT_SECONDS * 1000
  const redirect_to = redirectTarget(redirect)
  const attempt = { state, provider, client, tenant_id, redirect_to, remember, nonce, expires_at }
  const cookie = writeCookie(`${ATTEMPT_COOKIE}:${state.slice(0, 8)}`, await sealValue(attempt, PURPOSE), {
    maxAge: ATTEMPT_SECONDS,
  })
  const old = namesOf(request, ATTEMPT_COOKIE).slice(0, 1 - MAX_ATTEMPTS)
  const oldStates = namesOf(request, STATE_COOKIE).slice(0, 1 - MAX_ATTEMPTS)
  return {
    location,
    is_foreign: isForeign(location),
    cookies: [...answer.headers.getSetCookie(), cookie, ...[...old, ...oldStates].map(clearCookie)],
  }
}

const namesOf = (request: Request, kind: string): string[] =>
  readCookies(request)
    .map(([name]) => name)
    .filter((name) => name.startsWith(`${kind}:`))

export async function finishSignIn(request: Request): Promise<Arrival> {
  const url = new URL(request.url)
  const state = url.searchParams.get('state') ?? ''
  const { attempt, cookies } = await takeAttempt(request, state)
  if (!attempt) return { kind: 'lost', attempt: null, cookies }
  const known = { pool_id: attempt.provider, redirect_to: attempt.redirect_to, remember: attempt.remember }
  const because = (reason: string) => ({ why: { pool_id: attempt.provider, reason }, cookies })
  try {
    const pool = await poolOf(attempt.provider, attempt.client)
    const wrong = whyNoCode(url, pool)
    if (wrong) return { kind: 'refused', ...because(wrong) }
    const tokens = readTokens(await exchange(request, pool))
    await verify(pool, tokens, attempt.nonce)
    const begun = await begin(tokens, attempt)
    if ('why' in begun) return { kind: 'no_access', closed: null, ...because(begun.why) }
    return { kind: 'signed_in', redirect: attempt.redirect_to, cookies: [...cookies, ...begun.cookies] }
  } catch (error) {
    const { reason, ...outcome } = outcomeOf(awayOr(error), known)
    return { ...outcome, ...because(reason) }
  }
}

/** When the other server fails, that is an outage, not a refusal of the person. */
const awayOr = (error: unknown): unknown =>
  error instanceof Response
    ? new ProviderAwayError(new Error(`GET /users/me answers ${error.status}.`))
    : error

const exchange = (request: Request, pool: Pool): Promise<OAuthTokens> =>
  new Authenticator<OAuthTokens>()
    .use(new PoolStrategy(pool, async ({ tokens }) => tokens), 'pool')
    .authenticate('pool', request)

async function verify(pool: Pool, { tokens }: Fresh, nonce: string): Promise<void> {
  if (!tokens.id_token) throw new UnauthorizedError('The provider sent no ID token.')
  await verifyIdToken(pool, tokens.id_token, nonce)
}

async function begin({ tokens, access_expires_at }: Fresh, attempt: KeptAttempt) {
  const { provider, client, remember, tenant_id } = attempt
  const scope = { tenant_id, impersonated: null, sub_tenant: null }
  const person = await askWho({ ...scope, access_token: tokens.access_token })
  if (typeof person === 'string') return { why: 'GET /users/me of the server does not know the person.' }
  const out = whyOut(person)
  if (out) return { why: `The server says: ${out}.` }
  const cookies = await keep({
    ...tokens,
    ...scope,
    provider,
    client,
    remember,
    tenant_id: tenant_id ?? person.tenant_id,
    impersonation_ends_at: null,
    access_expires_at: access_expires_at.getTime(),
    refreshed_at: Date.now(),
    expires_at: sessionEnd(remember).getTime(),
  })
  return { cookies }
}

/** Clears the cookies whatever the outcome, because the provider accepts a code once. */
async function takeAttempt(request: Request, state: string) {
  const mine = readCookies(request).filter(
    ([name, value]) => name.startsWith(`${STATE_COOKIE}:`) && value.includes(state),
  )
  const name = `${ATTEMPT_COOKIE}:${state.slice(0, 8)}`
  const sealed = state && mine.length > 0 ? readCookie(request, name) : null
  const kept = sealed && (await openValue(sealed, PURPOSE, KeptAttempt))
  const attempt = kept && kept.state === state && kept.expires_at > Date.now() ? kept : null
  const cookies = sealed === null ? [] : [name, ...mine.map(([one]) => one)].map(clearCookie)
  return { attempt, cookies }
}

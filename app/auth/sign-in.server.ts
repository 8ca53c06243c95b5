/** Signing in at a pool's provider: leaving for it, and coming back. */
import { randomBytes } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { Authenticator } from 'remix-auth'
import { OAuth2RequestError } from 'remix-auth-oauth2'
import { getDatabases } from '#app/db/databases.server.ts'
import type { SignInAttempts } from '#app/db/schema.ts'
import { findJoined } from '#app/domain/pools/companies.server.ts'
import type { Database } from '#app/domain/scope.server.ts'
import {
  FIRST_SCREEN,
  isOnScreens,
  screensOf,
  socialProvider,
  statesOf,
  wishOfScreens,
} from './cognito/attempts.server.ts'
import { clearCookie, readCookies, STATE_COOKIE } from './cookies.server.ts'
import { identify, identifyOnScreens, type Known } from './identify.server.ts'
import { OutsideError } from './outside.server.ts'
import { requireUsable } from './pools/pool-problems.server.ts'
import { type Asked, ATTEMPT_SECONDS, PoolStrategy } from './pools/pool-strategy.server.ts'
import {
  DEFAULT_POOL,
  findPool,
  findPoolByEmail,
  isForeign,
  issuerOf,
  type Pool,
} from './pools/pools.server.ts'
import { readTokens } from './pools/provider-tokens.server.ts'
import type { SignInRefusal } from './pools/refused-sign-ins.server.ts'
import { PoolConfigurationError, type Principal, ProviderAwayError, UnauthorizedError } from './principal.ts'
import { redirectTarget } from './redirect-target.ts'
import { createSession, endSession, findSession } from './sessions/sessions.server.ts'
import { quoted } from './token-refusals.ts'

export type Wish = { redirect: string; remember: boolean } & Omit<Asked, 'nonce'>

type Attempt = Selectable<SignInAttempts>

/** Unfinished attempts of one browser that are kept apart; the oldest cookies go first. */
const MOST_STATES = 8

/**
 * The pool of an address: of an unknown one the default pool, so that nobody learns who is known. Throws a
 * `PoolConfigurationError` when there is none, or none that works.
 */
export async function poolOfEmail(
  email: string,
  database: Database = getDatabases().app,
): Promise<{ id: string }> {
  const pool = await findPoolByEmail(database, email)
  if (!pool) throw new PoolConfigurationError('default', 'There is no default pool.')
  requireUsable(pool)
  return pool
}

/**
 * The pool whose screen asks for the address together with the password: that of unknown addresses. Null where its
 * people sign in on other pages.
 */
export async function poolOfPasswords(database: Database = getDatabases().app): Promise<string | null> {
  const pool = await findPool(database, DEFAULT_POOL)
  return pool && (pool.kind === 'embedded' || isOnScreens(pool)) ? pool.id : null
}

/** Whether anybody may make an account, at the provider to which unknown addresses lead. */
export async function offersSignUp(database: Database = getDatabases().app): Promise<boolean> {
  const pool = await findPool(database, DEFAULT_POOL)
  return pool !== null && (await findJoined(database, [pool])).size > 0
}

export type Departure = {
  location: string
  /** The provider's pages are on another site. */
  is_foreign: boolean
  cookies: string[]
}

/**
 * Writes the attempt down; the answer carries the state in a cookie of this browser. Null: no such pool.
 * Throws a `PoolConfigurationError` when nobody can sign in with it.
 */
export async function startSignIn(
  request: Request,
  pool_id: string,
  wish: Wish,
  database: Database = getDatabases().app,
): Promise<Departure | null> {
  const pool = await findPool(database, pool_id)
  if (!pool) return null
  requireUsable(pool)
  const nonce = randomBytes(32).toString('base64url')
  const identity_provider = socialProvider(pool, wish.identity_provider)
  const begun = identity_provider ? await wishOfScreens(request, pool, database) : {}
  const { redirect, remember, ...asked } = { ...wish, ...begun }
  const strategy = new PoolStrategy(pool, nobody, { ...asked, identity_provider, nonce })
  const answer = await leave(strategy, request)
  const onScreens = isOnScreens(pool) && identity_provider === undefined
  const location = onScreens ? FIRST_SCREEN : answer.headers.get('location')
  if (!strategy.made || !location) throw new Error('The strategy made no authorization request.')

  await database.deleteFrom('sign_in_attempts').where('expires_at', '<', new Date()).execute()
  await database
    .insertInto('sign_in_attempts')
    .values({
      state: strategy.made.state,
      pool_id: pool.id,
      redirect_to: redirectTarget(redirect),
      remember,
      code_verifier: strategy.made.codeVerifier,
      nonce,
      ...(onScreens ? screensOf(strategy.made.state, asked) : {}),
      expires_at: new Date(Date.now() + ATTEMPT_SECONDS * 1000),
    })
    .execute()
  const tooMany = stateCookies(request).slice(0, -MOST_STATES + 1)
  const cookies = [...answer.headers.getSetCookie(), ...tooMany.map(clearCookie)]
  return { location, is_foreign: !onScreens && isForeign(location), cookies }
}

const latestAttempt = (request: Request, database: Database) =>
  database
    .selectFrom('sign_in_attempts')
    .select(['state', 'redirect_to'])
    .where(sql<boolean>`state = any(${statesOf(request)}::text[])`)
    .orderBy('created_on', 'desc')
    .limit(1)

/** Where the sign-in that this browser is in the middle of leads. */
export async function targetOfSignIn(
  request: Request,
  database: Database = getDatabases().app,
): Promise<string> {
  const attempt = await latestAttempt(request, database).executeTakeFirst()
  return redirectTarget(attempt?.redirect_to)
}

/** What was not asked at its beginning. */
export async function rememberSignIn(
  request: Request,
  remember: boolean,
  database: Database = getDatabases().app,
): Promise<void> {
  const latest = latestAttempt(request, database).clearSelect().select('state')
  await database.updateTable('sign_in_attempts').set({ remember }).where('state', 'in', latest).execute()
}

/** Where a sign-in of this browser that was never finished wanted to lead: it was finished in another tab. */
export async function findWantedTarget(
  request: Request,
  database: Database = getDatabases().app,
): Promise<string | null> {
  const states = statesOf(request)
  if (states.length === 0) return null
  const attempt = await database
    .deleteFrom('sign_in_attempts')
    .where('state', 'in', states)
    .returning(['redirect_to', 'created_on'])
    .execute()
  const latest = attempt.reduce<(typeof attempt)[number] | null>(
    (best, one) => (best === null || one.created_on > best.created_on ? one : best),
    null,
  )
  return latest && redirectTarget(latest.redirect_to)
}

/** The library leaves by throwing its redirect; without a query it cannot take this for a callback. */
export async function leave(strategy: PoolStrategy<never>, request: Request): Promise<Response> {
  const bare = new Request(new URL('/', request.url), { headers: request.headers })
  try {
    return await new Authenticator<never>().use(strategy, 'pool').authenticate('pool', bare)
  } catch (thrown) {
    if (thrown instanceof Response) return thrown
    throw thrown
  }
}

export const nobody = () => Promise.reject<never>(new Error('Nobody signs in here.'))

/** `why` is for the log and for whoever configures the provider; the person reads a plain sentence. */
export type Arrival = { why?: SignInRefusal } & (
  | { kind: 'signed_in'; redirect: string; cookies: string[] }
  /** Nobody's state, another browser's, or one that is too old: `attempt` is what is known of it. */
  | { kind: 'lost'; attempt: Lost | null; cookies: string[] }
  /** The provider knows the person; we do not, or no longer. */
  | { kind: 'no_access'; cookies: string[] }
  /** The provider did not let the person in, the person turned back, or what came is not to be trusted. */
  | { kind: 'refused'; cookies: string[] }
  | { kind: 'provider_away'; cookies: string[] }
  /** The provider does not know us, or not with this secret: `problem` is for whoever runs the platform. */
  | { kind: 'misconfigured'; problem: string; cookies: string[] }
)

type Lost = Pick<Attempt, 'pool_id' | 'redirect_to' | 'remember'>

export async function finishSignIn(
  request: Request,
  database: Database = getDatabases().app,
): Promise<Arrival> {
  const url = new URL(request.url)
  const state = url.searchParams.get('state')
  const attempt = state ? await takeAttempt(database, state) : null
  const cookies = state ? stateCookies(request, state).map(clearCookie) : []
  const pool = attempt && (await findPool(database, attempt.pool_id))
  if (!attempt || !pool || cookies.length === 0) return { kind: 'lost', attempt, cookies }

  const because = (reason: string) => ({ why: { pool_id: pool.id, reason }, cookies })
  const wrong = whyNoCode(url, pool)
  if (wrong) return { kind: 'refused', ...because(wrong) }
  try {
    const known = await exchange(request, pool, attempt, database)
    if (known.principal === null) return { kind: 'no_access', ...because(known.why) }
    const cookie = await beginSession(request, known, attempt, database)
    return { kind: 'signed_in', redirect: redirectTarget(attempt.redirect_to), cookies: [...cookies, cookie] }
  } catch (error) {
    const { reason, ...outcome } = outcomeOf(error, attempt)
    return { ...outcome, ...because(reason) }
  }
}

/** Null for an answer of this provider with a code. */
export function whyNoCode({ searchParams }: URL, pool: Pool): string | null {
  const issuer = searchParams.get('iss')
  if (issuer !== null && issuer !== issuerOf(pool))
    return `The answer comes from the issuer ${quoted(issuer)}.`
  if (issuer === null && namesItself(pool)) return 'The answer does not say from which issuer it comes.'
  if (searchParams.has('code')) return null
  return `The provider answers ${quoted(searchParams.get('error'))} instead of a code.`
}

/** RFC 9207: an answer of another provider, mixed up with this one's, would not. */
const namesItself = ({ kind, settings }: Pool): boolean =>
  kind === 'embedded' || settings.authorization_response_iss_parameter_supported === true

/** OAuth's words for: it is not the code that is wrong, it is the client that brings it. */
const CLIENT_REFUSED = new Set(['invalid_client', 'unauthorized_client', 'unsupported_grant_type'])

export function outcomeOf(error: unknown, attempt: Lost) {
  const reason = error instanceof Error ? error.message : ''
  if (error instanceof UnauthorizedError) return { kind: 'refused', reason } as const
  if (error instanceof ProviderAwayError) return { kind: 'provider_away', reason: whyAway(error) } as const
  if (error instanceof PoolConfigurationError)
    return { kind: 'misconfigured', problem: reason, reason } as const
  if (!(error instanceof OAuth2RequestError)) throw error
  const answer = `The token endpoint answers ${quoted(error.code)}`
  if (CLIENT_REFUSED.has(error.code)) {
    const problem = `The provider of ${attempt.pool_id} answers ${error.code}.`
    return { kind: 'misconfigured', problem, reason: `${answer}: it does not take our client.` } as const
  }
  return { kind: 'lost', attempt, reason: `${answer}: the code was used before, or came too late.` } as const
}

/** The cause is the provider's or the network's, without what was sent. */
function whyAway({ message, cause }: ProviderAwayError): string {
  if (cause instanceof OutsideError) return cause.message
  return cause instanceof Error ? `${message} (${cause.name})` : message
}

/** The library compares the state with the cookie's and trades the code for tokens. */
function exchange(request: Request, pool: Pool, attempt: Attempt, database: Database): Promise<Known> {
  // On our own screens the tokens have come already, and nothing that a code could be traded for.
  if (attempt.progress_sealed !== null) return identifyOnScreens(database, pool, attempt)
  const strategy = new PoolStrategy(pool, ({ tokens }) =>
    identify(database, pool, readTokens(tokens), attempt.nonce),
  )
  return new Authenticator<Known>().use(strategy, 'pool').authenticate('pool', request)
}

/** Always a new one: an id that was in the browser before the sign-in is worth nothing after it. */
async function beginSession(
  request: Request,
  { principal, tokens }: Extract<Known, { principal: Principal }>,
  { pool_id, remember }: Attempt,
  database: Database,
): Promise<string> {
  const old = await findSession(request, database)
  if (old) await endSession(old, database)
  const user_agent = request.headers.get('user-agent')
  return createSession(principal, { ...tokens, pool_id, remember, user_agent }, database)
}

/** Once: whoever comes back with the same state a second time finds nothing. */
async function takeAttempt(database: Database, state: string): Promise<Attempt | null> {
  const attempt = await database
    .deleteFrom('sign_in_attempts')
    .where('state', '=', state)
    .returningAll()
    .executeTakeFirst()
  return attempt && attempt.expires_at.getTime() > Date.now() ? attempt : null
}

/** The names of this browser's state cookies; with `state`, of those that hold it. */
function stateCookies(request: Request, state?: string): string[] {
  return readCookies(request)
    .filter(([name, value]) => name.startsWith(`${STATE_COOKIE}:`) && (!state || value.includes(state)))
    .map(([name]) => name)
}

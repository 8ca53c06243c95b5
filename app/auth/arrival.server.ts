/** Handles the return from a pool's provider: with a code, or with a reason why there is none. */
import type { Selectable } from 'kysely'
import { Authenticator } from 'remix-auth'
import { OAuth2RequestError } from 'remix-auth-oauth2'
import { getDatabases } from '#app/db/databases.server.ts'
import type { SignInAttempts } from '#app/db/schema.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { clearCookie } from './cookies.server.ts'
import { identify, identifyOnScreens, type Known } from './identify.server.ts'
import { OutsideError } from './outside.server.ts'
import { PoolStrategy } from './pools/pool-strategy.server.ts'
import { findPool, issuerOf, type Pool } from './pools/pools.server.ts'
import { readTokens } from './pools/provider-tokens.server.ts'
import type { SignInRefusal } from './pools/refused-sign-ins.server.ts'
import { PoolConfigurationError, type Principal, ProviderAwayError, UnauthorizedError } from './principal.ts'
import { redirectTarget } from './redirect-target.ts'
import { createSession, endSession, findSession } from './sessions/sessions.server.ts'
import { stateCookies } from './sign-in.server.ts'
import { quoted } from './token-refusals.ts'
import type { Reason } from './visit.server.ts'

type Attempt = Selectable<SignInAttempts>

/** `why` is for the log and for the administrator of the provider; the person reads a plain sentence. */
export type Arrival = { why?: SignInRefusal } & (
  | { kind: 'signed_in'; redirect: string; cookies: string[] }
  /** The state is unknown, another browser's, or too old: `attempt` is what we know of it. */
  | { kind: 'lost'; attempt: Lost | null; cookies: string[] }
  /** The provider knows the person, but we do not, or they have no access: `closed` tells only them why. */
  | { kind: 'no_access'; closed: Reason | null; cookies: string[] }
  /** The provider has not verified the address by which we would know the person. */
  | { kind: 'unverified'; cookies: string[] }
  /** The provider refused the person, the person turned back, or the answer cannot be trusted. */
  | { kind: 'refused'; cookies: string[] }
  | { kind: 'provider_away'; cookies: string[] }
  /** The provider does not accept our client or its secret: `problem` is for the operator of the platform. */
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

  const because = (reason: string, tenant_id?: string) => ({
    why: { pool_id: pool.id, tenant_id, reason },
    cookies,
  })
  const wrong = whyNoCode(url, pool)
  if (wrong) return { kind: 'refused', ...because(wrong) }
  try {
    const known = await exchange(request, pool, attempt, database)
    if (known.principal === null) {
      const { why, closed, tenant_id } = known
      if (known.is_unverified) return { kind: 'unverified', ...because(why) }
      return { kind: 'no_access', closed, ...because(why, tenant_id) }
    }
    const cookie = await beginSession(request, known, attempt, database)
    return { kind: 'signed_in', redirect: redirectTarget(attempt.redirect_to), cookies: [...cookies, cookie] }
  } catch (error) {
    const { reason, ...outcome } = outcomeOf(error, attempt)
    return { ...outcome, ...because(reason) }
  }
}

export function whyNoCode({ searchParams }: URL, pool: Pool): string | null {
  const issuer = searchParams.get('iss')
  if (issuer !== null && issuer !== issuerOf(pool))
    return `The answer comes from the issuer ${quoted(issuer)}.`
  if (issuer === null && namesItself(pool)) return 'The answer does not say from which issuer it comes.'
  if (searchParams.has('code')) return null
  return `The provider answers ${quoted(searchParams.get('error'))} instead of a code.`
}

/** RFC 9207: such a provider names itself in its answers, which reveals an answer mixed up with another provider's. */
const namesItself = ({ kind, settings }: Pool): boolean =>
  kind === 'embedded' || settings.authorization_response_iss_parameter_supported === true

/** OAuth's errors that blame the client, not the code. */
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

/** The provider's or the network's reason, without anything we sent. */
function whyAway({ message, cause }: ProviderAwayError): string {
  if (cause instanceof OutsideError) return cause.message
  return cause instanceof Error ? `${message} (${cause.name})` : message
}

/** The library compares the state with the cookie's and exchanges the code for tokens. */
function exchange(request: Request, pool: Pool, attempt: Attempt, database: Database): Promise<Known> {
  // Sign-ins on our own screens have their tokens already, and no code to exchange.
  if (attempt.progress_sealed !== null) return identifyOnScreens(database, pool, attempt)
  const strategy = new PoolStrategy(pool, ({ tokens }) =>
    identify(database, pool, readTokens(tokens), attempt.nonce),
  )
  return new Authenticator<Known>().use(strategy, 'pool').authenticate('pool', request)
}

/** Always a new session: a session id that was in the browser before the sign-in becomes worthless. */
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

/** An attempt is used once: the same state finds nothing a second time. */
async function takeAttempt(database: Database, state: string): Promise<Attempt | null> {
  // PostgreSQL text cannot contain NUL, and a query with it fails.
  if (state.includes('\0')) return null
  const attempt = await database
    .deleteFrom('sign_in_attempts')
    .where('state', '=', state)
    .returningAll()
    .executeTakeFirst()
  return attempt && attempt.expires_at.getTime() > Date.now() ? attempt : null
}

/** Coming back from a pool's provider: with a code, or with a reason why not. */
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

/** `why` is for the log and for whoever configures the provider; the person reads a plain sentence. */
export type Arrival = { why?: SignInRefusal } & (
  | { kind: 'signed_in'; redirect: string; cookies: string[] }
  /** Nobody's state, another browser's, or one that is too old: `attempt` is what is known of it. */
  | { kind: 'lost'; attempt: Lost | null; cookies: string[] }
  /** The provider knows the person; we do not, or they cannot come in: `closed` says why to them alone. */
  | { kind: 'no_access'; closed: Reason | null; cookies: string[] }
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

  const because = (reason: string, tenant_id?: string) => ({
    why: { pool_id: pool.id, tenant_id, reason },
    cookies,
  })
  const wrong = whyNoCode(url, pool)
  if (wrong) return { kind: 'refused', ...because(wrong) }
  try {
    const known = await exchange(request, pool, attempt, database)
    if (known.principal === null)
      return { kind: 'no_access', closed: known.closed, ...because(known.why, known.tenant_id) }
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
  // PostgreSQL keeps no text with it, and fails where it is asked for one.
  if (state.includes('\0')) return null
  const attempt = await database
    .deleteFrom('sign_in_attempts')
    .where('state', '=', state)
    .returningAll()
    .executeTakeFirst()
  return attempt && attempt.expires_at.getTime() > Date.now() ? attempt : null
}

/** Starts a sign-in at a pool's provider. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Authenticator } from 'remix-auth'
import { getDatabases } from '#app/db/databases.server.ts'
import { findJoined } from '#app/domain/pools/companies.server.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import {
  FIRST_SCREEN,
  isOnScreens,
  screensOf,
  socialProvider,
  statesOf,
  wishOfScreens,
} from './cognito/attempts.server.ts'
import { clearCookie, readCookies, STATE_COOKIE } from './cookies.server.ts'
import { requireUsable } from './pools/pool-problems.server.ts'
import { type Asked, ATTEMPT_SECONDS, PoolStrategy } from './pools/pool-strategy.server.ts'
import { DEFAULT_POOL, findPool, findPoolByEmail, isForeign } from './pools/pools.server.ts'
import { PoolConfigurationError } from './principal.ts'
import { redirectTarget } from './redirect-target.ts'

export type Wish = { redirect: string; remember: boolean } & Omit<Asked, 'nonce'>

/** How many unfinished sign-ins one browser keeps; the oldest cookies go first. */
const MAX_STATES = 8

/** Unknown addresses get the default pool, so nobody learns who is known. Throws a `PoolConfigurationError`. */
export async function poolOfEmail(
  email: string,
  database: Database = getDatabases().app,
): Promise<{ id: string }> {
  const pool = await findPoolByEmail(database, email)
  if (!pool) throw new PoolConfigurationError('default', 'There is no default pool.')
  requireUsable(pool)
  return pool
}

/** The pool whose screen asks for address and password at once; null where people sign in on other pages. */
export async function poolOfPasswords(): Promise<string | null> {
  const pool = await findPool(getDatabases().app, DEFAULT_POOL)
  return pool && (pool.kind === 'embedded' || isOnScreens(pool)) ? pool.id : null
}

export async function offersSignUp(): Promise<boolean> {
  const database = getDatabases().app
  const pool = await findPool(database, DEFAULT_POOL)
  return pool !== null && (await findJoined(database, [pool])).size > 0
}

export type Departure = {
  location: string
  is_foreign: boolean
  cookies: string[]
}

/** The answer sets the state as a cookie. Null: there is no such pool. Throws a `PoolConfigurationError`. */
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
  const tooMany = stateCookies(request).slice(0, -MAX_STATES + 1)
  const cookies = [...answer.headers.getSetCookie(), ...tooMany.map(clearCookie)]
  return { location, is_foreign: !onScreens && isForeign(location), cookies }
}

const latestAttempt = (request: Request) =>
  getDatabases()
    .app.selectFrom('sign_in_attempts')
    .select(['state', 'redirect_to'])
    .where(sql<boolean>`state = any(${statesOf(request)}::text[])`)
    .orderBy('created_on', 'desc')
    .limit(1)

export async function targetOfSignIn(request: Request): Promise<string> {
  const attempt = await latestAttempt(request).executeTakeFirst()
  return redirectTarget(attempt?.redirect_to)
}

export async function rememberSignIn(request: Request, remember: boolean): Promise<void> {
  const latest = latestAttempt(request).clearSelect().select('state')
  await getDatabases()
    .app.updateTable('sign_in_attempts')
    .set({ remember })
    .where('state', 'in', latest)
    .execute()
}

/** The target of this browser's unfinished sign-in, for a person who signed in in another tab meanwhile. */
export async function findWantedTarget(request: Request): Promise<string | null> {
  const states = statesOf(request)
  if (states.length === 0) return null
  const attempt = await getDatabases()
    .app.deleteFrom('sign_in_attempts')
    .where('state', 'in', states)
    .returning(['redirect_to', 'created_on'])
    .execute()
  const latest = attempt.reduce<(typeof attempt)[number] | null>(
    (best, one) => (best === null || one.created_on > best.created_on ? one : best),
    null,
  )
  return latest && redirectTarget(latest.redirect_to)
}

/** The library leaves by throwing a redirect; the query is removed so that it does not take the request for a callback. */
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

export function stateCookies(request: Request, state?: string): string[] {
  return readCookies(request)
    .filter(([name, value]) => name.startsWith(`${STATE_COOKIE}:`) && (!state || value.includes(state)))
    .map(([name]) => name)
}

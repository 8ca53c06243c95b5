/** Signs out: here, at the provider's token endpoint, and on its pages. */
import { getConfig } from '#app/config.server.ts'
import { getDatabases } from '#app/db/databases.server.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { isOnScreens } from './cognito/attempts.server.ts'
import { clearCookie, HINT_COOKIE, POOL_COOKIE, readCookie, SESSION_COOKIE } from './cookies.server.ts'
import { endpointsOf, findPool, type Pool } from './pools/pools.server.ts'
import { revokeTokens } from './pools/provider-tokens.server.ts'
import { hashOf, type Session } from './sessions/session-store.server.ts'
import { takeTokens } from './sessions/sessions.server.ts'

/** Where the browser goes next, so that a provider elsewhere ends its session too; it ends at /login. */
export type Leaving = { location: string; cookies: string[] }

/** A second press comes before the browser has the answer to the first, and gets the same answer. */
const AGAIN_MS = 10_000
const leaving = new Map<string, Promise<Leaving>>()

export function signOut(session: Session, database: Database = getDatabases().app): Promise<Leaving> {
  const key = session.id_hash.toString('hex')
  const left = leaving.get(key) ?? leave(session, database)
  leaving.set(key, left)
  setTimeout(() => leaving.delete(key), AGAIN_MS).unref()
  return left
}

/** For a session that has just ended: the answer to the first press, or /login once that is forgotten. */
export async function signedOutBefore(request: Request): Promise<Leaving> {
  const value = readCookie(request, SESSION_COOKIE)
  const left = value === null ? undefined : await leaving.get(hashOf(value).toString('hex'))
  return left ?? { location: signInAddress(), cookies: [clearCookie(SESSION_COOKIE)] }
}

async function leave(session: Session, database: Database): Promise<Leaving> {
  const tokens = await takeTokens(session, database)
  const cookies = [SESSION_COOKIE, HINT_COOKIE, POOL_COOKIE].map(clearCookie)
  const pool = await findPool(database, session.pool_id)
  if (pool) await revokeTokens(pool, tokens ?? session)
  const location = (pool && endSessionAddress(pool, session)) ?? signInAddress()
  return { location, cookies }
}

const signInAddress = () => `${getConfig().PUBLIC_ORIGIN}/login`

export function endSessionAddress(pool: Pool, { id_token }: Pick<Session, 'id_token'>): string | null {
  const { end_session } = endpointsOf(pool)
  // The embedded provider's session ends together with ours.
  if (!end_session || pool.kind === 'embedded') return null
  // A sign-in on our screens leaves no session at the pool's hosted pages, unless a social button led there.
  if (isOnScreens(pool) && !pool.settings.domain) return null
  const url = new URL(end_session)
  const login = signInAddress()
  url.searchParams.set('client_id', pool.client_id)
  if (pool.kind === 'cognito') url.searchParams.set('logout_uri', login)
  else {
    if (id_token) url.searchParams.set('id_token_hint', id_token)
    url.searchParams.set('post_logout_redirect_uri', login)
  }
  return url.href
}

/** Signs out: here, at the provider's token endpoint, and on its pages. */
import { getConfig } from '#app/config.server.ts'
import { getDatabases } from '#app/db/databases.server.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { isOnScreens } from './cognito/attempts.server.ts'
import { clearCookie, HINT_COOKIE, POOL_COOKIE, readCookie, SESSION_COOKIE } from './cookies.server.ts'
import { endpointsOf, findPool, type Pool } from './pools/pools.server.ts'
import { revokeTokens } from './pools/provider-tokens.server.ts'
import { findWayOn, leadOn } from './sessions/second-press.server.ts'
import type { Session } from './sessions/session-store.server.ts'
import { takeTokens } from './sessions/sessions.server.ts'

/** Where the browser goes next, so that a provider elsewhere ends its session too; it ends at /login. */
export type Leaving = { location: string; cookies: string[] }

const cookiesOf = () => [SESSION_COOKIE, HINT_COOKIE, POOL_COOKIE].map(clearCookie)

export async function signOut(session: Session, database: Database = getDatabases().app): Promise<Leaving> {
  const pool = await findPool(database, session.pool_id)
  const location = (pool && endSessionAddress(pool, session)) ?? signInAddress()
  const tokens = await takeTokens(session, database, (home) => leadOn(home, session, { location }))
  if (pool) await revokeTokens(pool, tokens ?? session)
  return { location, cookies: cookiesOf() }
}

/** For a session that has just ended: the answer to the first press, or /login once that is forgotten. */
export async function signedOutBefore(
  request: Request,
  database: Database = getDatabases().app,
): Promise<Leaving> {
  const value = readCookie(request, SESSION_COOKIE)
  const way = value === null ? null : await findWayOn(database, value)
  return { location: way && 'location' in way ? way.location : signInAddress(), cookies: cookiesOf() }
}

export const signInAddress = () => `${getConfig().PUBLIC_ORIGIN}/login`

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

/** Signing out: here, at the provider's token endpoint, and on its pages. */
import { getConfig } from '#app/config.server.ts'
import { getDatabases } from '#app/db/databases.server.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { isOnScreens } from './cognito/attempts.server.ts'
import { clearCookie, HINT_COOKIE, POOL_COOKIE, SESSION_COOKIE } from './cookies.server.ts'
import { endpointsOf, findPool, type Pool } from './pools/pools.server.ts'
import { revokeTokens } from './pools/provider-tokens.server.ts'
import type { Session } from './sessions/session-store.server.ts'
import { takeTokens } from './sessions/sessions.server.ts'

/** Where the browser goes next, for a provider elsewhere to forget it too; it ends at /login. */
export type Leaving = { location: string; cookies: string[] }

export async function signOut(session: Session, database: Database = getDatabases().app): Promise<Leaving> {
  const tokens = await takeTokens(session, database)
  const cookies = [SESSION_COOKIE, HINT_COOKIE, POOL_COOKIE].map(clearCookie)
  const pool = await findPool(database, session.pool_id)
  if (pool) await revokeTokens(pool, tokens ?? session)
  const location = (pool && endSessionAddress(pool, session)) ?? `${getConfig().PUBLIC_ORIGIN}/login`
  return { location, cookies }
}

export function endSessionAddress(pool: Pool, { id_token }: Pick<Session, 'id_token'>): string | null {
  const { end_session } = endpointsOf(pool)
  // The embedded provider's session has ended with this one.
  if (!end_session || pool.kind === 'embedded') return null
  // On our screens nothing is left behind at the pool's hosted pages, unless a button has led there.
  if (isOnScreens(pool) && !pool.settings.domain) return null
  const url = new URL(end_session)
  const login = `${getConfig().PUBLIC_ORIGIN}/login`
  url.searchParams.set('client_id', pool.client_id)
  if (pool.kind === 'cognito') url.searchParams.set('logout_uri', login)
  else {
    if (id_token) url.searchParams.set('id_token_hint', id_token)
    url.searchParams.set('post_logout_redirect_uri', login)
  }
  return url.href
}

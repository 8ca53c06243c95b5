/** Refreshes tokens while a session lives, and revokes them afterwards. */

import { decodeJwt } from 'jose'
import { OAuth2RequestError } from 'remix-auth-oauth2'
import { isOnScreens } from '#app/auth/cognito/attempts.server.ts'
import { refreshOnScreens, revokeOnScreens } from '#app/auth/cognito/session.server.ts'
import { ProviderAwayError, UnauthorizedError } from '#app/auth/principal.ts'
import type { Session, Tokens } from '#app/auth/sessions/session-store.server.ts'
import { verifyIdToken } from '#app/auth/tokens.server.ts'
import { type OAuthTokens, PoolStrategy, patiently } from './pool-strategy.server.ts'
import type { Pool } from './pools.server.ts'

export const REFRESH_AFTER_MS = 50 * 60 * 1000
const BEFORE_EXPIRY_MS = 30 * 1000
const HOUR_MS = 60 * 60 * 1000

export type Fresh = { tokens: Tokens; access_expires_at: Date }

export function isRefreshDue(session: Pick<Session, 'access_expires_at' | 'refreshed_at'>): boolean {
  const now = Date.now()
  return (
    session.access_expires_at.getTime() - now < BEFORE_EXPIRY_MS ||
    now - session.refreshed_at.getTime() >= REFRESH_AFTER_MS
  )
}

/** A provider that is briefly away signs nobody out: the current token is used until it expires. */
export async function askAgain(
  pool: Pool,
  tokens: Tokens,
  isExpired: boolean,
): Promise<Fresh | 'refused' | 'later'> {
  if (tokens.refresh_token === null) return isExpired ? 'refused' : 'later'
  try {
    return await takeOver(pool, tokens, await renew(pool, tokens, tokens.refresh_token))
  } catch (error) {
    if (error instanceof OAuth2RequestError || error instanceof UnauthorizedError) return 'refused'
    if (isExpired) throw error
    return 'later'
  }
}

/** A pool on our own screens may have no token endpoint, so its API is asked. */
async function renew(pool: Pool, tokens: Tokens, refresh_token: string): Promise<Fresh> {
  if (isOnScreens(pool)) return refreshOnScreens(pool, tokens)
  return readTokens(await strategyOf(pool).refreshToken(refresh_token))
}

/** Requires the same person as before, and keeps what the provider did not send again. */
async function takeOver(pool: Pool, old: Tokens, fresh: Fresh): Promise<Fresh | 'refused'> {
  const { id_token } = fresh.tokens
  if (id_token && old.id_token) {
    const { sub } = await verifyIdToken(pool, id_token, null)
    if (sub !== decodeJwt(old.id_token).sub) return 'refused'
  }
  const { access_token, refresh_token } = fresh.tokens
  return {
    ...fresh,
    tokens: {
      access_token,
      refresh_token: refresh_token ?? old.refresh_token,
      id_token: id_token ?? old.id_token,
    },
  }
}

export function readTokens(answer: OAuthTokens): Fresh {
  const data = answer.data as { access_token?: unknown; expires_in?: unknown; id_token?: unknown }
  if (typeof data.access_token !== 'string') throw new ProviderAwayError('There is no access token.')
  const seconds = typeof data.expires_in === 'number' ? data.expires_in * 1000 : HOUR_MS
  return {
    tokens: {
      access_token: data.access_token,
      refresh_token: answer.hasRefreshToken() ? answer.refreshToken() : null,
      id_token: typeof data.id_token === 'string' ? data.id_token : null,
    },
    access_expires_at: new Date(Date.now() + seconds),
  }
}

/** Best effort: the session has ended already, and a provider that is away must not prevent that. */
export async function revokeTokens(
  pool: Pool,
  session: Pick<Tokens, 'access_token' | 'refresh_token'>,
): Promise<void> {
  try {
    const { refresh_token, access_token } = session
    if (isOnScreens(pool)) await patiently(revokeOnScreens(pool, refresh_token ?? access_token), 3000)
    else await patiently(strategyOf(pool).revokeToken(refresh_token ?? access_token), 3000)
  } catch {
    // The tokens expire by themselves.
  }
}

const strategyOf = (pool: Pool) =>
  new PoolStrategy(pool, () => Promise.reject(new Error('Nobody signs in here.')))

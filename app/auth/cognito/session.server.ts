/** Renews and ends the tokens of a session that began on our screens, over the user pool's API. */
import type { Pool } from '../pools/pools.server.ts'
import { UnauthorizedError } from '../principal.ts'
import type { Tokens } from '../sessions/session-store.server.ts'
import { CognitoRefusal } from './errors.ts'
import { type CognitoTokens, userIdIn } from './progress.ts'

/** Loaded on demand: Amazon's library is large, and most sites have no user pool there. */
async function loadCalls() {
  const { createCognitoClient } = await import('./client.server.ts')
  return { createCognitoClient, ...(await import('./account.server.ts')) }
}

export function freshTokens({ expires_in, ...tokens }: CognitoTokens) {
  return { tokens, access_expires_at: new Date(Date.now() + expires_in * 1000) }
}

export async function refreshOnScreens(pool: Pool, tokens: Tokens) {
  const { refresh_token, id_token } = tokens
  try {
    const { createCognitoClient, refresh } = await loadCalls()
    const asking = { refresh_token: refresh_token ?? '', user_id: userIdIn(id_token) }
    return freshTokens(await refresh(createCognitoClient(pool), asking))
  } catch (error) {
    if (error instanceof CognitoRefusal && error.name !== 'TooManyRequestsException')
      throw new UnauthorizedError(`${error.name}: ${error.message}`)
    throw error
  }
}

export async function revokeOnScreens(pool: Pool, refresh_token: string): Promise<void> {
  const { createCognitoClient, signOut } = await loadCalls()
  await signOut(createCognitoClient(pool), refresh_token)
}

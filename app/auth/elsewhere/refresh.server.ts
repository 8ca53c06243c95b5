/** Refreshes the tokens of sessions in cookies. Requests of one browser at the same time share one refresh. */
import { createHash } from 'node:crypto'
import { askAgain, type Fresh, isRefreshDue } from '../pools/provider-tokens.server.ts'
import type { KeptSession } from './kept-session.ts'
import { poolOf } from './providers.server.ts'

/** Kept this long, because a later request may be sent before the browser has the answer with the new cookies. */
const SHARED_MS = 60_000
const running = new Map<string, Promise<Fresh | 'refused' | 'later'>>()

export const isDue = ({ access_expires_at, refreshed_at }: KeptSession): boolean =>
  isRefreshDue({ access_expires_at: new Date(access_expires_at), refreshed_at: new Date(refreshed_at) })

/** Null when the provider refuses: the person is signed out. */
export async function refresh(kept: KeptSession): Promise<KeptSession | null> {
  const fresh = await once(kept)
  if (fresh === 'refused') return null
  if (fresh === 'later') return kept
  const access_expires_at = fresh.access_expires_at.getTime()
  return { ...kept, ...fresh.tokens, access_expires_at, refreshed_at: Date.now() }
}

function once(kept: KeptSession): Promise<Fresh | 'refused' | 'later'> {
  const key = createHash('sha256')
    .update(kept.refresh_token ?? kept.access_token)
    .digest('base64url')
  const known = running.get(key)
  if (known) return known
  const isExpired = kept.access_expires_at <= Date.now()
  const asking = poolOf(kept.provider, kept.client).then((pool) => askAgain(pool, kept, isExpired))
  running.set(key, asking)
  const forget = () => void running.delete(key)
  asking.then(() => setTimeout(forget, SHARED_MS).unref(), forget)
  return asking
}

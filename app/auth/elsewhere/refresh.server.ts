/** Refreshes the tokens of sessions in cookies. Requests of one browser at the same time share one refresh. */
import { createHash } from 'node:crypto'
import { madeOnce } from '#app/elsewhere/made-once.server.ts'
import { askAgain, type Fresh, isRefreshDue } from '../pools/provider-tokens.server.ts'
import type { KeptSession } from './kept-session.ts'
import { poolOf } from './providers.server.ts'

/** Kept this long, because a later request may be sent before the browser has the answer with the new cookies. */
const SHARED_MS = 60_000

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

async function once(kept: KeptSession): Promise<Fresh | 'refused' | 'later'> {
  const key = createHash('sha256')
    .update(kept.refresh_token ?? kept.access_token)
    .digest('base64url')
  const isExpired = kept.access_expires_at <= Date.now()
  const said = await madeOnce(`refresh ${key}`, SHARED_MS, async () =>
    JSON.stringify(await askAgain(await poolOf(kept.provider, kept.client), kept, isExpired)),
  )
  const fresh = JSON.parse(said)
  return typeof fresh === 'string'
    ? (fresh as 'refused' | 'later')
    : { ...fresh, access_expires_at: new Date(fresh.access_expires_at) }
}

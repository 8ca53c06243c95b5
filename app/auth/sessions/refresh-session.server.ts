/** Refreshes a session's tokens. A provider that is slow or away never holds a database connection. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { tokenHash } from '#app/auth/bearer.server.ts'
import { findPool } from '#app/auth/pools/pools.server.ts'
import {
  askAgain,
  isRefreshDue,
  REFRESH_AFTER_MS,
  revokeTokens,
} from '#app/auth/pools/provider-tokens.server.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { inHomeOf, type Session, sealTokens, type Tokens, unsealTokens } from './session-store.server.ts'

/** Longer than any wait for a provider: when the lease runs out its holder has ended, and another process asks. */
const LEASE_MS = 20_000
const LOOK_AGAIN_MS = 100
/** How long to wait for another process's refresh while the current token is still valid. */
const PATIENCE_MS = 1000
/** How long to wait before asking a provider again that did not answer. */
const RETRY_AFTER_MS = 30_000

/** The loaders of one page, and pages requested at once, share one refresh in this process. */
const running = new Map<string, Promise<Session | null>>()

/** Null when the provider refuses, or the session has ended: the person is signed out. */
export function refreshSession(database: Database, session: Session): Promise<Session | null> {
  const key = session.id_hash.toString('hex')
  const known = running.get(key)
  if (known) return known
  const refreshing = refresh(database, session).finally(() => running.delete(key))
  running.set(key, refreshing)
  return refreshing
}

async function refresh(database: Database, session: Session): Promise<Session | null> {
  const began = Date.now()
  for (;;) {
    const found = await claim(database, session)
    if (!found) return null
    if (found.lease) return ask(database, found.session, found.lease)
    const isGood = found.session.access_expires_at.getTime() > Date.now()
    if (!found.isDue || (isGood && Date.now() - began > PATIENCE_MS)) return found.session
    await sleep(LOOK_AGAIN_MS)
  }
}

/** Takes a lease: the process that gets one asks the provider. */
function claim(database: Database, session: Session) {
  const { id_hash } = session
  return inHomeOf(database, session.principal, async ({ db }) => {
    const row = await db
      .selectFrom('sessions')
      .select(['tokens_sealed', 'access_expires_at', 'refreshed_at', 'refreshing_until'])
      .where('id_hash', '=', id_hash)
      .forUpdate()
      .executeTakeFirst()
    const tokens = row && unsealTokens(row.tokens_sealed, id_hash)
    if (!row || !tokens) return null
    const { refreshing_until, access_expires_at, refreshed_at } = row
    const current: Session = { ...session, ...tokens, access_expires_at, refreshed_at }
    const isDue = isRefreshDue(row)
    if (!isDue || (refreshing_until && refreshing_until.getTime() > Date.now()))
      return { session: current, isDue, lease: null }
    const lease = randomUUID()
    const until = new Date(Date.now() + LEASE_MS)
    await db
      .updateTable('sessions')
      .set({ refreshing_by: lease, refreshing_until: until })
      .where('id_hash', '=', id_hash)
      .execute()
    return { session: current, isDue, lease }
  })
}

async function ask(database: Database, session: Session, lease: string): Promise<Session | null> {
  const giveBack = async (error: unknown): Promise<never> => {
    await keep(database, session, lease, {})
    throw error
  }
  const pool = await findPool(database, session.pool_id).catch(giveBack)
  const isExpired = session.access_expires_at.getTime() <= Date.now()
  const fresh = pool ? await askAgain(pool, session, isExpired).catch(giveBack) : 'refused'
  if (fresh === 'refused') return end(database, session, lease)
  if (fresh === 'later') {
    const refreshed_at = new Date(Date.now() - REFRESH_AFTER_MS + RETRY_AFTER_MS)
    await keep(database, session, lease, { refreshed_at })
    return session
  }
  const { tokens, access_expires_at } = fresh
  const kept = { access_expires_at, refreshed_at: new Date() }
  if (await keep(database, session, lease, { ...kept, tokens })) return { ...session, ...tokens, ...kept }
  const current = await refresh(database, session)
  // The session ended meanwhile, and its sign-out could not revoke these newer tokens.
  if (pool && !current) void revokeTokens(pool, tokens)
  return current
}

type Kept = { access_expires_at?: Date; refreshed_at?: Date; tokens?: Tokens }

/** Releases the lease. False if it had run out, or the session has ended. */
function keep(
  database: Database,
  session: Session,
  lease: string,
  { tokens, ...times }: Kept,
): Promise<boolean> {
  const { user_id } = session.principal
  return inHomeOf(database, session.principal, async ({ db }) => {
    // A session that moved to another tenant meanwhile has another id.
    const row = await db
      .selectFrom('sessions')
      .select('id_hash')
      .where('user_id', '=', user_id)
      .where('refreshing_by', '=', lease)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return false
    const { id_hash } = row
    await db
      .updateTable('sessions')
      .set({
        ...times,
        ...(tokens && {
          tokens_sealed: sealTokens(tokens, id_hash),
          token_hash: tokenHash(tokens.access_token),
        }),
        refreshing_by: null,
        refreshing_until: null,
      })
      .where('id_hash', '=', id_hash)
      .execute()
    return true
  })
}

/** Ends the session unless the lease had run out: another process may then have got the tokens that we were refused. */
async function end(database: Database, session: Session, lease: string): Promise<Session | null> {
  const { tenant_id, user_id } = session.principal
  const { numDeletedRows } = await inHomeOf(database, { tenant_id }, ({ db }) =>
    db
      .deleteFrom('sessions')
      .where('user_id', '=', user_id)
      .where('refreshing_by', '=', lease)
      .executeTakeFirstOrThrow(),
  )
  return numDeletedRows > 0n ? null : refresh(database, session)
}

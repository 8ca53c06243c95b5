import { getDatabases } from '#app/db/databases.server.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { type Database, inScope, type Scope } from '#app/domain/scope/scope.server.ts'
import { onlySubTenant, toActor } from '../actor.server.ts'
import { forgetExpiredTokens, tokenHash } from '../bearer.server.ts'
import { clearCookie, readCookie, SESSION_COOKIE } from '../cookies.server.ts'
import type { Principal } from '../principal.ts'
import { findWayOn, leadOn } from './second-press.server.ts'
import { sessionEnd } from './session-end.ts'
import type { SessionScope } from './session-scope.server.ts'
import {
  hashOf,
  inHomeOf,
  loadSession,
  newValue,
  providerSessionOf,
  type Session,
  sealTokens,
  sessionCookie,
  type Tokens,
  unsealTokens,
} from './session-store.server.ts'

const SEEN_EVERY_MS = 60 * 1000

export type NewSession = {
  pool_id: string
  tokens: Tokens
  access_expires_at: Date
  remember: boolean
  user_agent: string | null
  /** Set when the person signed in without the provider. */
  by?: 'link'
}

/** Returns the Set-Cookie header of the new session. */
export async function createSession(
  principal: Principal,
  { tokens, remember, user_agent, by, ...rest }: NewSession,
  database: Database = getDatabases().app,
): Promise<string> {
  const value = newValue()
  const id_hash = hashOf(value)
  const expires_at = sessionEnd(remember)
  await inScope(database, toActor(principal, {}), async (home) => {
    const { db } = home
    await db.deleteFrom('sessions').where('expires_at', '<', new Date()).execute()
    await db.deleteFrom('ended_sessions').where('expires_at', '<', new Date()).execute()
    await db
      .insertInto('sessions')
      .values({
        ...rest,
        tenant_id: principal.tenant_id,
        user_id: principal.user_id,
        id_hash,
        tokens_sealed: sealTokens(tokens, id_hash),
        token_hash: tokenHash(tokens.access_token),
        provider_session: providerSessionOf(tokens),
        remember,
        sub_tenant_id: onlySubTenant(principal),
        user_agent: user_agent?.slice(0, 400) ?? null,
        expires_at,
      })
      .execute()
    await noteSeen(home, principal)
    await record(
      home,
      'user.signed_in',
      { type: 'user', id: principal.user_id },
      {
        pool_id: rest.pool_id,
        ...(by && { by }),
      },
    )
  })
  await forgetExpiredTokens(database)
  return sessionCookie(value, { remember, expires_at })
}

export async function findSession(
  request: Request,
  database: Database = getDatabases().app,
): Promise<Session | null> {
  const value = readCookie(request, SESSION_COOKIE)
  return value === null ? null : loadSession(database, value)
}

/** Finds a session that has just been given a new id; `cookie` sets that id again. */
export async function findMoved(
  request: Request,
  database: Database,
): Promise<{ session: Session; cookie: string } | null> {
  let value = readCookie(request, SESSION_COOKIE)
  while (value !== null) {
    const way = await findWayOn(database, value)
    value = way && 'value' in way ? way.value : null
    const session = value && (await loadSession(database, value))
    if (value && session) return { session, cookie: sessionCookie(value, session) }
  }
  return null
}

/** At most once a minute, and without delaying the answer. */
export async function markSeen(session: Session, database: Database = getDatabases().app): Promise<void> {
  if (Date.now() - session.last_seen_on.getTime() < SEEN_EVERY_MS) return
  const { principal, id_hash } = session
  await inHomeOf(database, principal, async (home) => {
    await home.db
      .updateTable('sessions')
      .set({ last_seen_on: new Date() })
      .where('id_hash', '=', id_hash)
      .execute()
    await noteSeen(home, principal)
  })
}

async function noteSeen({ db }: Scope, { user_id }: Principal): Promise<void> {
  await db.updateTable('users').set({ last_seen_on: new Date() }).where('id', '=', user_id).execute()
}

/** Returns the header that clears the cookie. The session's access token stops working. */
export async function endSession(session: Session, database: Database = getDatabases().app): Promise<string> {
  await takeTokens(session, database)
  return clearCookie(SESSION_COOKIE)
}

/** Ends the session and returns the tokens in its row, which another process may have refreshed meanwhile. */
export async function takeTokens(
  { principal, id_hash }: Session,
  database: Database,
  also: (home: Scope) => Promise<void> = async () => {},
): Promise<Tokens | null> {
  return inScope(database, toActor(principal, {}), async (home) => {
    const ended = await home.db
      .deleteFrom('sessions')
      .where('id_hash', '=', id_hash)
      .returning('tokens_sealed')
      .executeTakeFirst()
    if (!ended) return null
    await record(home, 'user.signed_out', { type: 'user', id: principal.user_id })
    await also(home)
    return unsealTokens(ended.tokens_sealed, id_hash)
  })
}

/** Moves the session under a new id, because its rights change. */
export async function changeSession(
  session: Session,
  scope: SessionScope,
  database: Database,
  also: (home: Scope) => Promise<void> = async () => {},
): Promise<string> {
  const value = newValue()
  const id_hash = hashOf(value)
  await inScope(database, toActor(session.principal, {}), async (home) => {
    // Another process may have refreshed the tokens since this request began.
    const row = await home.db
      .selectFrom('sessions')
      .select('tokens_sealed')
      .where('id_hash', '=', session.id_hash)
      .forUpdate()
      .executeTakeFirst()
    const tokens = row && unsealTokens(row.tokens_sealed, session.id_hash)
    // A double click: the first request has moved the session already, and its cookie is on the way.
    if (!tokens) throw new Response(null, { status: 302, headers: { location: '/' } })
    await home.db
      .updateTable('sessions')
      .set({ ...scope, id_hash, tokens_sealed: sealTokens(tokens, id_hash) })
      .where('id_hash', '=', session.id_hash)
      .execute()
    await leadOn(home, session, { value })
    await also(home)
  })
  return sessionCookie(value, session)
}

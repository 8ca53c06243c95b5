/** Signing in by a message's link: what opening it shows, and what pressing its button does. */
import { sql } from 'kysely'
import { getDatabases } from '#app/db/databases.server.ts'
import { hasSecondFactor } from '#app/domain/account/own-security.server.ts'
import { type Database, inScope } from '#app/domain/scope/scope.server.ts'
import {
  hashOfToken,
  isSignInLinkGood,
  takeSignInLink,
} from '#app/domain/sign-in-links/sign-in-links.server.ts'
import { toActor } from './actor.server.ts'
import { activate, whyClosed } from './identify.server.ts'
import { getOwnAccounts } from './own-accounts.server.ts'
import type { Principal } from './principal.ts'
import { inHomeOf, newValue } from './sessions/session-store.server.ts'
import { createSession } from './sessions/sessions.server.ts'

/** `sign_in`: the link is used up or expired, or its person must sign in the usual way. */
export type Entry =
  | { kind: 'offer'; first_name: string; until: Date; zone: string }
  | { kind: 'sign_in'; email: string; pool_id: string }

type Opened = { principal: Principal; dispatch_id: number; expires_on: Date }

/** Opening the link changes nothing. Null: there is no such link, or its person has no access. */
export async function findEntry(
  token: string,
  database: Database = getDatabases().app,
): Promise<Entry | null> {
  const opened = await open(database, token)
  if (!opened) return null
  const { principal, expires_on } = opened
  if (!(await isGood(database, opened)))
    return { kind: 'sign_in', email: principal.email, pool_id: principal.pool_id }
  const zone = await inHomeOf(database, principal, ({ db }) =>
    db
      .selectFrom('users as u')
      .innerJoin('tenants as t', 't.id', 'u.tenant_id')
      .select((eb) => eb.fn.coalesce('u.timezone', 't.timezone').as('zone'))
      .where('u.id', '=', principal.user_id)
      .executeTakeFirstOrThrow(),
  )
  return { kind: 'offer', first_name: principal.first_name || principal.email, until: expires_on, ...zone }
}

/** Returns the session's cookies, or null when the link does not work. */
export async function enterByLink(
  request: Request,
  token: string,
  database: Database = getDatabases().app,
): Promise<string[] | null> {
  const opened = await open(database, token)
  if (!opened || !(await isGood(database, opened))) return null
  const { principal } = opened
  const isTaken = await inHomeOf(database, principal, (home) => takeSignInLink(home, linkOf(opened)))
  if (!isTaken) return null
  const session = {
    pool_id: principal.pool_id,
    // The provider took no part, so there is nothing to refresh and nothing to end there.
    tokens: { access_token: newValue(), refresh_token: null, id_token: null },
    access_expires_at: new Date(Date.now() + SESSION_MS),
    remember: false,
    user_agent: request.headers.get('user-agent'),
    by: 'link' as const,
  }
  return [await createSession(await activate(database, principal), session, database)]
}

/** At least as long as a session that the browser does not remember. */
const SESSION_MS = 13 * 60 * 60 * 1000

async function open(database: Database, token: string): Promise<Opened | null> {
  const hash = hashOfToken(token)
  if (!hash) return null
  const { rows } = await sql<Principal & Omit<Opened, 'principal'>>`
    select (f.person).*, f.dispatch_id, f.expires_on from find_sign_in_link(${hash}) f`.execute(database)
  if (!rows[0]) return null
  const { dispatch_id, expires_on, ...principal } = rows[0]
  return (await whyClosed(database, principal)) === null ? { principal, dispatch_id, expires_on } : null
}

/** A person with a second factor has to use it, at the usual sign-in. */
async function isGood(database: Database, opened: Opened): Promise<boolean> {
  const { principal } = opened
  if (!(await inHomeOf(database, principal, (home) => isSignInLinkGood(home, linkOf(opened))))) return false
  const accounts = getOwnAccounts()
  if (!accounts) return false
  const actor = toActor(principal, {})
  return (await hasSecondFactor((as, work) => inScope(database, as, work), actor, accounts)) !== true
}

const linkOf = ({ principal, dispatch_id }: Opened) => ({ dispatch_id, user_id: principal.user_id })

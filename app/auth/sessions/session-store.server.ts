/** Sessions as rows, found by the hash of the cookie's value; their tokens are sealed to that hash. */
import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Database, inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { SESSION_COOKIE, writeCookie } from '../cookies.server.ts'
import type { KeptSession } from '../elsewhere/kept-session.ts'
import type { Principal } from '../principal.ts'
import { seal, unseal } from '../seal.server.ts'

export type Session = Tokens & {
  id_hash: Buffer
  principal: Principal
  pool_id: string
  access_expires_at: Date
  refreshed_at: Date
  remember: boolean
  impersonated_tenant_id: string | null
  impersonated_status: 'active' | 'inactive' | null
  impersonation_ends_at: Date | null
  sub_tenant_id: string | null
  sub_tenant_status: 'active' | 'inactive' | null
  last_seen_on: Date
  expires_at: Date
  /** The whole content of the browser's cookies, where the session has no row (elsewhere/). */
  kept?: KeptSession
}

const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string().nullable(),
  id_token: z.string().nullable(),
})
export type Tokens = z.infer<typeof Tokens>

const VALUE = /^[A-Za-z0-9_-]{43}$/

/** 256 random bits. */
export const newValue = (): string => randomBytes(32).toString('base64url')
export const hashOf = (value: string): Buffer => createHash('sha256').update(value).digest()

export const sealTokens = ({ access_token, refresh_token, id_token }: Tokens, id_hash: Buffer): string =>
  seal(JSON.stringify({ access_token, refresh_token, id_token }), sealedFor(id_hash))

/** Null when the tokens were sealed under another secret or for another session, which then counts as none. */
export function unsealTokens(sealed: string, id_hash: Buffer): Tokens | null {
  try {
    return Tokens.parse(JSON.parse(unseal(sealed, sealedFor(id_hash))))
  } catch {
    return null
  }
}

/** The provider's id of the sign-in that these tokens, already verified, came from. */
export function providerSessionOf({ id_token }: Tokens): string | null {
  const sid = id_token === null ? null : decodeJwt(id_token).sid
  return typeof sid === 'string' ? sid.slice(0, 255) : null
}

const sealedFor = (id_hash: Buffer): string => `session:${id_hash.toString('hex')}`

type Found = Omit<Session, keyof Tokens | 'id_hash' | 'principal' | 'pool_id'> &
  Principal & { session_pool_id: string; tokens_sealed: string }

/** One query: session, person, roles and tenant. */
export async function loadSession(database: Database, value: string): Promise<Session | null> {
  if (!VALUE.test(value)) return null
  const id_hash = hashOf(value)
  const { rows } = await sql<Found>`
    select (f.principal).*, f.session_pool_id, f.tokens_sealed, f.access_expires_at, f.refreshed_at, f.remember,
      f.impersonated_tenant_id, f.impersonated_status, f.impersonation_ends_at, f.sub_tenant_id,
      f.sub_tenant_status, f.last_seen_on, f.expires_at
    from find_session(${id_hash}) f`.execute(database)
  return rows[0] ? toSession(rows[0], id_hash) : null
}

export async function isOfDisabled(database: Database, value: string): Promise<boolean> {
  if (!VALUE.test(value)) return false
  const { rows } = await sql<{
    yes: boolean
  }>`select is_session_of_disabled(${hashOf(value)}) as yes`.execute(database)
  return rows[0]?.yes === true
}

function toSession(found: Found, id_hash: Buffer): Session | null {
  const { user_id, tenant_id, email, first_name, last_name, activation_status } = found
  const { is_super_admin, is_asked_for_second_factor, accepted_terms_on, tenant_status, pool_id, roles } =
    found
  const tokens = unsealTokens(found.tokens_sealed, id_hash)
  return (
    tokens && {
      ...tokens,
      id_hash,
      principal: {
        user_id,
        tenant_id,
        email,
        first_name,
        last_name,
        activation_status,
        is_super_admin,
        is_asked_for_second_factor,
        accepted_terms_on,
        tenant_status,
        pool_id,
        roles,
      },
      pool_id: found.session_pool_id,
      access_expires_at: found.access_expires_at,
      refreshed_at: found.refreshed_at,
      remember: found.remember,
      impersonated_tenant_id: found.impersonated_tenant_id,
      impersonated_status: found.impersonated_status,
      impersonation_ends_at: found.impersonation_ends_at,
      sub_tenant_id: found.sub_tenant_id,
      sub_tenant_status: found.sub_tenant_status,
      last_seen_on: found.last_seen_on,
      expires_at: found.expires_at,
    }
  )
}

/** Session rows are in their person's own tenant, no matter where the session is. */
export const inHomeOf = <Result>(
  database: Database,
  { tenant_id }: Pick<Principal, 'tenant_id'>,
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> => inScope(database, systemActor(tenant_id), work)

export function sessionCookie(value: string, session: { remember: boolean; expires_at: Date }): string {
  const maxAge = session.remember ? (session.expires_at.getTime() - Date.now()) / 1000 : undefined
  return writeCookie(SESSION_COOKIE, value, { maxAge })
}

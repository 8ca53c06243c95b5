/** Who a request's cookie belongs to: found out once for all loaders of the request. */
import { getDatabases } from '#app/db/databases.server.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { maySelect, onlySubTenant, shouldEnterSubTenant, toActor } from './actor.server.ts'
import { clearCookie, readCookie, SESSION_COOKIE } from './cookies.server.ts'
import { isRefreshDue } from './pools/provider-tokens.server.ts'
import { isLetIn } from './principal.ts'
import { refreshSession } from './sessions/refresh-session.server.ts'
import { moveSession, stayHome } from './sessions/session-scope.server.ts'
import { isOfDisabled, type Session } from './sessions/session-store.server.ts'
import { endSession, findMoved, findSession, markSeen } from './sessions/sessions.server.ts'

export type Reason = 'account_disabled' | 'tenant_inactive' | 'sub_tenant_inactive'

export type Visit = (
  | {
      kind: 'visitor'
      session: Session
      actor: Actor
      should_enter_subtenant: boolean
      /** What the other server said about the person, where one is asked. */
      user?: CurrentUser
    }
  /** Nobody is signed in. `cookies` clears a useless cookie; `ended` says why a session ended, if that is worth saying. */
  | { kind: 'stranger'; cookies: string[]; ended: Reason | null }
  | { kind: 'moved'; to: string }
) & {
  keeps?: string[]
}

export async function findVisit(request: Request, database: Database = getDatabases().app): Promise<Visit> {
  const found = await findSession(request, database)
  if (found) return visitOf(found, database)
  const moved = await findMoved(request, database)
  if (moved) return { ...(await visitOf(moved.session, database)), keeps: [moved.cookie] }
  return { kind: 'stranger', cookies: deadCookies(request), ended: await whyEnded(request, database) }
}

async function visitOf(found: Session, database: Database): Promise<Visit> {
  if (!mayStay(found)) return signOut(found, database)

  const to = await leaveClosedScope(found, database)
  if (to) return { kind: 'moved', to }

  const session = isRefreshDue(found) ? await refreshSession(database, found) : found
  if (!session) return signOut(found, database)

  // Not awaited: no page is worth failing for it.
  markSeen(session, database).catch(() => {})
  const { principal, impersonated_tenant_id, sub_tenant_id } = session
  const actor = toActor(principal, {
    tenant_id: principal.tenant_id,
    impersonate_tenant_id: impersonated_tenant_id,
    sub_tenant_id,
  })
  return {
    kind: 'visitor',
    session,
    actor,
    should_enter_subtenant: shouldEnterSubTenant(principal, actor.sub_tenant_id),
  }
}

async function signOut(session: Session, database: Database): Promise<Visit> {
  return { kind: 'stranger', cookies: [await endSession(session, database)], ended: reasonOf(session) }
}

function reasonOf({ principal, sub_tenant_id, sub_tenant_status }: Session): Reason | null {
  if (principal.activation_status === 'disabled') return 'account_disabled'
  if (principal.tenant_status !== 'active') return 'tenant_inactive'
  return sub_tenant_id !== null && sub_tenant_status !== 'active' ? 'sub_tenant_inactive' : null
}

/** Disabling an account deletes its sessions at once; only this record of them is left. */
async function whyEnded(request: Request, database: Database): Promise<Reason | null> {
  const value = readCookie(request, SESSION_COOKIE)
  return value !== null && (await isOfDisabled(database, value)) ? 'account_disabled' : null
}

const deadCookies = (request: Request): string[] =>
  readCookie(request, SESSION_COOKIE) === null ? [] : [clearCookie(SESSION_COOKIE)]

/** Whether the account, the tenant, its pool, and the only sub-tenant of a person who has just one, are active. */
function mayStay(session: Session): boolean {
  const { principal, sub_tenant_id, sub_tenant_status } = session
  // After a tenant changes its provider, only the new one vouches for its people.
  if (!isLetIn(principal) || session.pool_id !== principal.pool_id) return false
  const only = onlySubTenant(principal)
  return only === null || only !== sub_tenant_id || sub_tenant_status === 'active'
}

/** Where to redirect when the tenant or sub-tenant the session is in has closed. */
async function leaveClosedScope(session: Session, database: Database): Promise<string | null> {
  if (session.impersonated_tenant_id !== null && !mayImpersonate(session)) {
    await stayHome(session, database)
    return '/tenants'
  }
  const { principal, sub_tenant_id } = session
  const only = session.impersonated_tenant_id === null ? onlySubTenant(principal) : null
  if (only !== null && only !== sub_tenant_id) {
    await moveSession(session, only, database)
    return '/'
  }
  if (sub_tenant_id !== null && !mayStayInSubTenant(session)) {
    await moveSession(session, null, database)
    return shouldEnterSubTenant(principal, null) ? '/subtenants' : '/'
  }
  return null
}

function mayImpersonate(session: Session): boolean {
  const { principal, impersonated_status, impersonation_ends_at } = session
  return (
    principal.is_super_admin &&
    impersonated_status === 'active' &&
    (impersonation_ends_at === null || impersonation_ends_at.getTime() > Date.now())
  )
}

function mayStayInSubTenant({ principal, sub_tenant_id, sub_tenant_status, ...session }: Session): boolean {
  if (sub_tenant_status !== 'active' || sub_tenant_id === null) return false
  return session.impersonated_tenant_id !== null || maySelect(principal, sub_tenant_id)
}

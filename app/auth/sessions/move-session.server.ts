/** Moves sessions into a tenant or a sub-tenant, and back. */
import { getDatabases } from '../../db/databases.server.ts'
import { record } from '../../domain/audit/audit.server.ts'
import { forbidden } from '../../domain/errors.ts'
import { type Database, type Scope, withinTenant } from '../../domain/scope/scope.server.ts'
import { maySelect, onlySubTenant } from '../actor.server.ts'
import {
  AT_HOME,
  noteLeaving,
  noteVisit,
  requireOpenSubTenant,
  requireOpenTenant,
} from './session-scope.server.ts'
import type { Session } from './session-store.server.ts'
import { changeSession } from './sessions.server.ts'

export const IMPERSONATION_MS = 4 * 60 * 60 * 1000
type Entering = { reason?: string | undefined; sub_tenant_id?: string | undefined }

/** A super admin enters a tenant, or one of its sub-tenants. Returns the Set-Cookie header, as the three below do. */
export async function impersonate(
  session: Session,
  tenant_id: string,
  { reason, sub_tenant_id }: Entering = {},
  database: Database = getDatabases().app,
): Promise<string> {
  const { principal } = session
  if (!principal.is_super_admin) throw forbidden()
  await requireOpenTenant(database, principal, tenant_id)
  if (sub_tenant_id) await requireOpenSubTenant(database, tenant_id, sub_tenant_id)
  const scope = {
    impersonated_tenant_id: tenant_id,
    impersonation_reason: reason?.slice(0, 500) ?? null,
    impersonation_ends_at: new Date(Date.now() + IMPERSONATION_MS),
    sub_tenant_id: sub_tenant_id ?? null,
  }
  const { impersonation_reason, impersonation_ends_at } = scope
  const facts = { reason: impersonation_reason, ends_at: impersonation_ends_at, sub_tenant_id }
  const left = session.impersonated_tenant_id
  return changeSession(session, scope, database, async (home) => {
    if (session.sub_tenant_id !== scope.sub_tenant_id) await noteLeaving(home, session)
    if (left && left !== tenant_id) await noteVisit(home, left, 'impersonation.ended')
    await noteVisit(home, tenant_id, 'impersonation.started', facts)
    // The sub-tenant can read the visit in its own audit log too.
    if (sub_tenant_id)
      await withinTenant(home, tenant_id, (inner) =>
        record(inner, 'sub_tenant.entered', { type: 'sub_tenant', id: sub_tenant_id }, facts),
      )
  })
}

export function stopImpersonating(
  session: Session,
  database: Database = getDatabases().app,
): Promise<string> {
  const left = session.impersonated_tenant_id
  return changeSession(session, AT_HOME, database, async (home) => {
    await noteLeaving(home, session)
    if (left) await noteVisit(home, left, 'impersonation.ended')
  })
}

export async function enterSubTenant(
  session: Session,
  sub_tenant_id: string,
  database: Database = getDatabases().app,
): Promise<string> {
  const { principal, impersonated_tenant_id } = session
  if (!impersonated_tenant_id && !maySelect(principal, sub_tenant_id)) throw forbidden()
  await requireOpenSubTenant(database, impersonated_tenant_id ?? principal.tenant_id, sub_tenant_id)
  return changeSession(session, { sub_tenant_id }, database, (home) =>
    noteMove(home, session, 'sub_tenant.entered', sub_tenant_id),
  )
}

const noteMove = (home: Scope, { impersonated_tenant_id, principal }: Session, action: string, id: string) =>
  withinTenant(home, impersonated_tenant_id ?? principal.tenant_id, (inner) =>
    record(inner, action, { type: 'sub_tenant', id }),
  )
/** A person of a single sub-tenant has nothing outside it to return to. */
export async function leaveSubTenant(
  session: Session,
  database: Database = getDatabases().app,
): Promise<string> {
  const { principal, impersonated_tenant_id } = session
  if (!impersonated_tenant_id && onlySubTenant(principal)) throw forbidden()
  const left = session.sub_tenant_id
  return changeSession(session, { sub_tenant_id: null }, database, async (home) => {
    if (left) await noteMove(home, session, 'sub_tenant.left', left)
  })
}

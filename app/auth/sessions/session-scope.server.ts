/** Where a session may be: in the home tenant, in a tenant that a super admin has entered, or in a sub-tenant of either. */
import { record } from '#app/domain/audit/audit.server.ts'
import { forbidden } from '#app/domain/errors.ts'
import { type Database, inScope, type Scope, withinTenant } from '#app/domain/scope/scope.server.ts'
import { toActor } from '../actor.server.ts'
import type { Principal } from '../principal.ts'
import { inHomeOf, type Session } from './session-store.server.ts'

export type SessionScope = {
  impersonated_tenant_id?: string | null
  impersonation_reason?: string | null
  impersonation_ends_at?: Date | null
  sub_tenant_id?: string | null
}

export const AT_HOME = {
  impersonated_tenant_id: null,
  impersonation_reason: null,
  impersonation_ends_at: null,
  sub_tenant_id: null,
}

/** Only active tenants can be entered, and never the operator's own. */
export async function requireOpenTenant(database: Database, principal: Principal, id: string): Promise<void> {
  const tenant = await inScope(database, toActor(principal, {}), ({ db }) =>
    db
      .selectFrom('tenants')
      .select('id')
      .where('id', '=', id)
      .where('status', '=', 'active')
      .where('deleted_on', 'is', null)
      .where('is_operator', '=', false)
      .executeTakeFirst(),
  )
  if (!tenant) throw forbidden('This tenant cannot be entered.')
}

export async function requireOpenSubTenant(database: Database, tenant_id: string, id: string): Promise<void> {
  if (!(await isOpenSubTenant(database, tenant_id, id))) throw forbidden('This sub-tenant cannot be entered.')
}

export async function isOpenSubTenant(database: Database, tenant_id: string, id: string): Promise<boolean> {
  const found = await inHomeOf(database, { tenant_id }, ({ db }) =>
    db
      .selectFrom('sub_tenants')
      .select('id')
      .where('id', '=', id)
      .where('status', '=', 'active')
      .where('deleted_on', 'is', null)
      .executeTakeFirst(),
  )
  return found !== undefined
}

/** Audited in the visited tenant, which can then read who came in, and until when. */
export const noteVisit = (
  home: Scope,
  tenant_id: string,
  action: string,
  facts: Record<string, unknown> = {},
) => withinTenant(home, tenant_id, (inner) => record(inner, action, { type: 'tenant', id: tenant_id }, facts))

/** Records in the visited tenant's sub-tenant that the visitor has left. */
export async function noteLeaving(
  home: Scope,
  { impersonated_tenant_id: tenant_id, sub_tenant_id: id }: Session,
  facts: Record<string, unknown> = {},
): Promise<void> {
  if (tenant_id === null || id === null) return
  await withinTenant(home, tenant_id, (inner) =>
    record(inner, 'sub_tenant.left', { type: 'sub_tenant', id }, facts),
  )
}

/** Moves a session home when the tenant or sub-tenant it was in has closed. It keeps its id: it only loses rights. */
export async function stayHome(session: Session, database: Database): Promise<void> {
  const { impersonated_tenant_id: left, id_hash, principal } = session
  await inScope(database, toActor(principal, {}), async (home) => {
    const { numUpdatedRows } = await home.db
      .updateTable('sessions')
      .set(AT_HOME)
      .where('id_hash', '=', id_hash)
      .where('impersonated_tenant_id', '=', left)
      .executeTakeFirst()
    // Of several requests at once, only one records the end.
    if (left === null || numUpdatedRows !== 1n) return
    await noteLeaving(home, session, { by_itself: true })
    await noteVisit(home, left, 'impersonation.ended', { by_itself: true })
  })
}

export async function moveSession(
  session: Session,
  sub_tenant_id: string | null,
  database: Database,
): Promise<void> {
  await inHomeOf(database, session.principal, ({ db }) =>
    db.updateTable('sessions').set({ sub_tenant_id }).where('id_hash', '=', session.id_hash).execute(),
  )
}

/** Who may look after tenants and their parts. */
import { type Actor, hasRole, isOperator } from './actor.ts'
import { may } from './permissions.ts'

export const mayManageTenants = (actor: Actor): boolean => isOperator(actor)

/** The parts of a tenant are looked after from its middle, not from inside one of them. */
export const mayManageSubTenants = (actor: Actor): boolean =>
  isOperator(actor) || (actor.sub_tenant_id === null && hasRole(actor, 'admin', 'super_admin'))

/** Inside a sub-tenant the company's settings are that sub-tenant's. */
export const mayEditCompany = (actor: Actor): boolean =>
  may(actor, 'company:view') && actor.sub_tenant_id === null

export const mayEditSubTenantCompany = (actor: Actor, subTenantId: string): boolean =>
  may(actor, 'company:view') && (actor.sub_tenant_id === null || actor.sub_tenant_id === subTenantId)

/** The sub-tenants a person may enter; null means all of the tenant's. */
export function enterableSubTenants(actor: Actor): string[] | null {
  const own = actor.general_roles.map((role) => role.sub_tenant_id)
  if (actor.is_super_admin || actor.user_id === null || own.includes(null)) return null
  return own.filter((id) => id !== null)
}

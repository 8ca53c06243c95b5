/** Who may change which part of a tenant, and which of its sub-tenants a person may enter. */
import { type Actor, ROLES, type Role } from './actor.ts'
import { may } from './permissions.ts'

export const mayEditCompany = (actor: Actor): boolean =>
  may(actor, 'company:edit') && actor.sub_tenant_id === null

export const mayEditSubTenantCompany = (actor: Actor, subTenantId: string): boolean =>
  may(actor, 'company:edit') && (actor.sub_tenant_id === null || actor.sub_tenant_id === subTenantId)

/** The sub-tenants a person may enter; null means all of the tenant's. */
export function enterableSubTenants(actor: Actor): string[] | null {
  const own = actor.general_roles.map((role) => role.sub_tenant_id)
  if (actor.is_super_admin || actor.user_id === null || own.includes(null)) return null
  return own.filter((id) => id !== null)
}

export function isAdmin(actor: Actor): boolean {
  if (actor.roles.includes('admin')) return true
  return actor.sub_tenant_id === null && inCurrentTenant(actor).some(({ role }) => role === 'admin')
}

/** A person's roles in their company, before the choice of a sub-tenant decides which of them are in force. */
export function heldRoles(actor: Actor): Role[] {
  const held = new Set<Role>(inCurrentTenant(actor).map(({ role }) => role))
  return ROLES.filter((role) => held.has(role) || (role === 'super_admin' && actor.is_super_admin))
}

/** An administrator with roles in more than one sub-tenant, who switches between them. */
export const hasMoreThanOneSubTenant = (actor: Actor): boolean =>
  isAdmin(actor) && new Set(inCurrentTenant(actor).map(({ sub_tenant_id }) => sub_tenant_id)).size > 1

const inCurrentTenant = (actor: Actor) =>
  actor.general_roles.filter(({ tenant_id }) => tenant_id === actor.tenant_id)

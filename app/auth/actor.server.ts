/** Turns a principal and a request's tenant headers into the actor it acts as. */
import { type Actor, ROLES, type Role } from '#app/domain/access/actor.ts'
import { forbidden } from '#app/domain/errors.ts'
import type { Principal } from './principal.ts'

export type TenantHeaders = {
  tenant_id?: string | null | undefined
  impersonate_tenant_id?: string | null | undefined
  sub_tenant_id?: string | null | undefined
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const DISAGREE = 'The tenant headers do not agree with the signed-in user.'

/** Throws a 403 when a header asks for a scope the person does not have: a wrong header is never ignored. */
export function toActor(principal: Principal, headers: TenantHeaders): Actor {
  const named = toId(headers.tenant_id)
  if (named && named !== principal.tenant_id) throw forbidden(DISAGREE)

  const impersonated = toId(headers.impersonate_tenant_id)
  if (impersonated && !principal.is_super_admin) throw forbidden(DISAGREE)
  if (impersonated === principal.tenant_id) throw forbidden(DISAGREE)

  const wanted = toId(headers.sub_tenant_id)
  if (wanted && !impersonated && !maySelect(principal, wanted)) throw forbidden(DISAGREE)
  const sub_tenant_id = wanted ?? (impersonated ? null : onlySubTenant(principal))

  return {
    user_id: principal.user_id,
    email: principal.email,
    home_tenant_id: principal.tenant_id,
    tenant_id: impersonated ?? principal.tenant_id,
    sub_tenant_id,
    roles: rolesInForce(principal, impersonated !== null, sub_tenant_id),
    general_roles: principal.roles,
    is_super_admin: principal.is_super_admin,
    is_impersonating: impersonated !== null,
  }
}

/** Whether the person has to choose a sub-tenant before anything else. */
export function shouldEnterSubTenant(principal: Principal, sub_tenant_id: string | null): boolean {
  return (
    sub_tenant_id === null &&
    !principal.is_super_admin &&
    !isTenantWide(principal) &&
    subTenantsOf(principal).length > 1
  )
}

/** A person of one sub-tenant only is always inside it: their scope is never wider. */
export function onlySubTenant(principal: Principal): string | null {
  if (principal.is_super_admin || isTenantWide(principal)) return null
  const [only, ...others] = subTenantsOf(principal)
  return only && others.length === 0 ? only : null
}

function subTenantsOf(principal: Principal): string[] {
  return [...new Set(principal.roles.flatMap((role) => role.sub_tenant_id ?? []))]
}

const isTenantWide = (principal: Principal): boolean =>
  principal.roles.some((role) => role.sub_tenant_id === null)

export function maySelect(principal: Principal, sub_tenant_id: string): boolean {
  return isTenantWide(principal) || subTenantsOf(principal).includes(sub_tenant_id)
}

function rolesInForce(principal: Principal, is_impersonating: boolean, sub_tenant_id: string | null): Role[] {
  const held = new Set<Role>()
  if (principal.is_super_admin) held.add('super_admin')
  if (is_impersonating) held.add('admin')
  else
    for (const general of principal.roles)
      if (general.sub_tenant_id === null || general.sub_tenant_id === sub_tenant_id) held.add(general.role)
  return ROLES.filter((role) => held.has(role))
}

function toId(header: string | null | undefined): string | null {
  if (header === undefined || header === null) return null
  const id = header.trim().toLowerCase()
  if (!UUID.test(id)) throw forbidden(DISAGREE)
  return id
}

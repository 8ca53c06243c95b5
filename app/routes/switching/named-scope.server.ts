/** The place to switch to: ids in the format of the server behind the screens, and names for the list of sessions. */
import { z } from 'zod'
import { listSubTenantChoices } from '#app/api/contract/tenancy/sub-tenants.ts'
import { listTenantChoices } from '#app/api/contract/tenancy/tenants.ts'
import { getConfig } from '#app/config.server.ts'
import { Refusal } from '#app/domain/errors.ts'
import type { Visitor } from '#app/routes/guards.server.ts'

/** An id without spaces; our own are UUIDs. */
export const ScopeRef = z
  .string()
  .max(300)
  .refine((id) => (getConfig().WEB_TIER ? /^[\w.~-]+$/.test(id) : z.uuid().safeParse(id).success))

type ScopeIds = { tenant_id: string; sub_tenant_id?: string | undefined }
type Named = { tenant: { id: string; name: string }; subTenant: { id: string; name: string } | undefined }

/** Our own server checks whether a place can be entered; with another server, the active ones in its list can be. */
export async function namedScope(visitor: Visitor, { tenant_id, sub_tenant_id }: ScopeIds): Promise<Named> {
  if (!visitor.session.kept) {
    const subTenant = sub_tenant_id ? { id: sub_tenant_id, name: '' } : undefined
    return { tenant: { id: tenant_id, name: '' }, subTenant }
  }
  const { tenant, subTenants } = await findAmong(visitor, tenant_id)
  const subTenant = sub_tenant_id ? subTenants.find(({ id }) => id === sub_tenant_id) : undefined
  if (tenant?.status !== 'active') throw new Refusal(403, 'This tenant cannot be entered.')
  if (sub_tenant_id && subTenant?.status !== 'active')
    throw new Refusal(403, 'This sub-tenant cannot be entered.')
  return { tenant, subTenant: subTenant && { id: subTenant.id, name: subTenant.name } }
}

type Found = { id: string; name: string; status: string }

async function findAmong({ api, actor }: Visitor, tenant_id: string) {
  if (!actor.is_super_admin) {
    const { data } = await api(listSubTenantChoices)
    return { tenant: { id: tenant_id, name: '', status: 'active' }, subTenants: data as Found[] }
  }
  const { data } = await api(listTenantChoices)
  const tenant = data.find(({ id }) => id === tenant_id)
  return { tenant, subTenants: (tenant?.sub_tenants ?? []) as Found[] }
}

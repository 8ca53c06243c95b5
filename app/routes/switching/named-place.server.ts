/** Where somebody wants to go: ids as the server behind the screens makes them, and names for its sessions. */
import { z } from 'zod'
import { listSubTenantChoices } from '#app/api/contract/sub-tenants.ts'
import { listTenantChoices } from '#app/api/contract/tenants.ts'
import { getConfig } from '#app/config.server.ts'
import { Refusal } from '#app/domain/errors.ts'
import type { Visitor } from '#app/routes/guards.server.ts'

/** One word; ours are UUIDs. */
export const PlaceRef = z
  .string()
  .max(300)
  .refine((id) => (getConfig().WEB_TIER ? /^[\w.~-]+$/.test(id) : z.uuid().safeParse(id).success))

type Place = { tenant_id: string; sub_tenant_id?: string | undefined }
type Named = { tenant: { id: string; name: string }; part: { id: string; name: string } | undefined }

/** Our own server says itself whether a place can be entered; of another's list, what is active can be. */
export async function namedPlace(visitor: Visitor, { tenant_id, sub_tenant_id }: Place): Promise<Named> {
  if (!visitor.session.kept) {
    const part = sub_tenant_id ? { id: sub_tenant_id, name: '' } : undefined
    return { tenant: { id: tenant_id, name: '' }, part }
  }
  const { tenant, parts } = await findAmong(visitor, tenant_id)
  const part = sub_tenant_id ? parts.find(({ id }) => id === sub_tenant_id) : undefined
  if (tenant?.status !== 'active') throw new Refusal(403, 'This tenant cannot be entered.')
  if (sub_tenant_id && part?.status !== 'active') throw new Refusal(403, 'This sub-tenant cannot be entered.')
  return { tenant, part: part && { id: part.id, name: part.name } }
}

type Found = { id: string; name: string; status: string }

async function findAmong({ api, actor }: Visitor, tenant_id: string) {
  if (!actor.is_super_admin) {
    const { data } = await api(listSubTenantChoices)
    return { tenant: { id: tenant_id, name: '', status: 'active' }, parts: data as Found[] }
  }
  const { data } = await api(listTenantChoices)
  const tenant = data.find(({ id }) => id === tenant_id)
  return { tenant, parts: (tenant?.sub_tenants ?? []) as Found[] }
}

import type { z } from 'zod'
import { enterableSubTenants } from '#app/domain/access/tenancy.ts'
import { filePath } from '#app/domain/files/files.server.ts'
import { type Scope, withinTenant } from '#app/domain/scope/scope.server.ts'
import type { SubTenantSummary } from './tenant.ts'

type Summary = z.infer<typeof SubTenantSummary>

const MAX_SHOWN = 5_000

/** Sub-tenants by tenant, ordered by name. `only`: the visible ones; null shows all. */
export async function subTenantsOf(
  { db }: Scope,
  tenantIds: readonly string[],
  only: readonly string[] | null = null,
): Promise<Map<string, Summary[]>> {
  const found = new Map<string, Summary[]>()
  if (tenantIds.length === 0 || only?.length === 0) return found
  const rows = await db
    .selectFrom('sub_tenants')
    .select(['tenant_id', 'id', 'name', 'logo_file_id', 'status'])
    .where('tenant_id', 'in', tenantIds)
    .where('deleted_on', 'is', null)
    .$if(only !== null, (query) => query.where('id', 'in', only ?? []))
    .orderBy('name')
    .limit(MAX_SHOWN)
    .execute()
  for (const { tenant_id, logo_file_id, ...row } of rows) {
    const summary = {
      ...row,
      status: row.status as Summary['status'],
      logo: filePath(tenant_id, logo_file_id),
    }
    found.set(tenant_id, [...(found.get(tenant_id) ?? []), summary])
  }
  return found
}

/** The active sub-tenants of the current tenant that the caller may enter, also from inside one of them. */
export async function listSubTenantChoices(scope: Scope): Promise<Summary[]> {
  const { tenant_id } = scope.actor
  const only = enterableSubTenants(scope.actor)
  const subTenants = await withinTenant(scope, tenant_id, (whole) => subTenantsOf(whole, [tenant_id], only))
  return (subTenants.get(tenant_id) ?? []).filter((subTenant) => subTenant.status === 'active')
}

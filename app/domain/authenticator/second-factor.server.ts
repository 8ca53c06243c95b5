/** Who must show a second factor. */
import { sql } from 'kysely'
import { PLANNED_ONCE } from '#app/db/named.server.ts'
import { type Scope, scopeTenant, tenantWide } from '#app/domain/scope.server.ts'

type Role = { role: string; sub_tenant_id: string | null }
type Person = { is_super_admin: boolean; roles: readonly Role[] }

/** Super admins save in the demo, and admins where the company or sub-tenant wants it, wherever they are now. */
export async function secondFactorIsDue(
  scope: Scope,
  { is_super_admin, roles }: Person,
  isDemo: boolean,
): Promise<boolean> {
  if (is_super_admin && !isDemo) return true
  const looked = roles.filter(({ role }) => role === 'admin')
  if (looked.length === 0) return false
  const subTenants = looked.flatMap(({ sub_tenant_id }) => sub_tenant_id ?? [])
  const asked = subTenants.length === 0 ? ofTenant : ofTenantOr(subTenants)
  return tenantWide(scope, async ({ db }) => (await asked.execute(db)).rows.length > 0)
}

const WANTED = sql.lit(JSON.stringify({ admins_need_second_factor: true }))

const ofTenant = sql`
  select from tenants t where t.id = ${scopeTenant} and t.settings @> ${WANTED}::jsonb ${PLANNED_ONCE}`

const ofTenantOr = (subTenants: readonly string[]) => sql`
  select from tenants t where t.id = ${scopeTenant} and (t.settings @> ${WANTED}::jsonb
    or exists (select from sub_tenants s where s.tenant_id = t.id and s.id = any(${subTenants}::uuid[])
      and s.deleted_on is null and s.settings @> ${WANTED}::jsonb))`

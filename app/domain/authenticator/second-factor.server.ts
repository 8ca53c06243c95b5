/** Who must show a second factor. */
import { sql } from 'kysely'
import { plannedOnce } from '#app/db/named.server.ts'
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
  return tenantWide(scope, async ({ db }) => {
    const rows = await (subTenants.length === 0 ? askTenant(db) : askAll(db, subTenants))
    return rows.length > 0
  })
}

const WANTED = sql`${sql.lit(JSON.stringify({ admins_need_second_factor: true }))}::jsonb`

const askTenant = plannedOnce((db) =>
  db
    .selectFrom('tenants')
    .select('id')
    .where('id', '=', scopeTenant)
    .where(sql<boolean>`settings @> ${WANTED}`),
)

async function askAll(db: Scope['db'], subTenants: readonly string[]): Promise<unknown[]> {
  const { rows } = await sql`
    select from tenants t where t.id = ${scopeTenant} and (t.settings @> ${WANTED}
      or exists (select from sub_tenants s where s.tenant_id = t.id and s.id = any(${subTenants}::uuid[])
        and s.deleted_on is null and s.settings @> ${WANTED}))`.execute(db)
  return rows
}

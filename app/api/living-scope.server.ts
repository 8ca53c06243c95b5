/** The impersonated tenant and the selected sub-tenant must exist and be active. */
import { sql } from 'kysely'
import { forbidden } from '#app/domain/errors.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'

export async function requireLivingScope({ actor, db }: Scope): Promise<void> {
  if (actor.is_impersonating) {
    const tenant = await db
      .selectFrom('tenants')
      .select('id')
      .where('id', '=', actor.tenant_id)
      .where('status', '=', 'active')
      .where('deleted_on', 'is', null)
      .executeTakeFirst()
    if (!tenant) throw forbidden('This tenant cannot be entered.')
  }
  if (actor.sub_tenant_id) {
    // A super admin sees the sub-tenants of every tenant, so the tenant is compared as well.
    const { rows } = await sql`select from sub_tenants where tenant_id = ${actor.tenant_id}
      and id = ${actor.sub_tenant_id} and status = 'active' and deleted_on is null`.execute(db)
    if (rows.length === 0) throw forbidden('This sub-tenant cannot be entered.')
  }
}

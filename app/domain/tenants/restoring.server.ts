/** Restores deleted tenants and sub-tenants, as inactive: the restorer activates them. */
import { mayManageSubTenants, mayManageTenants } from '#app/domain/access/permissions.ts'
import { enterableSubTenants } from '#app/domain/access/tenancy.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { forbidden, notFound, Refusal } from '#app/domain/errors.ts'
import { type Scope, withinTenant } from '#app/domain/scope/scope.server.ts'
import { insideTenant, tenantIdOf } from './find-tenant.server.ts'
import { isStillThere } from './still-there.server.ts'
import { getSubTenant, requireMultiTenant, saveSubTenant } from './sub-tenants.server.ts'
import { getTenant, saveTenant } from './tenants.server.ts'

/** Finds a tenant whether deleted or not, as far as the caller sees it; only for restoring. */
export async function findTenantToRestore(scope: Scope, id: string) {
  const stored = await scope.db
    .selectFrom('tenants')
    .select(['id', 'name', 'deleted_on', isStillThere.as('is_still_there')])
    .where('id', '=', tenantIdOf(scope, id))
    .where('is_operator', '=', false)
    .forUpdate()
    .executeTakeFirst()
  if (!stored) throw notFound()
  if (!mayManageTenants(scope.actor)) throw forbidden()
  return stored
}

export async function restoreTenant(scope: Scope, id: string) {
  const stored = await findTenantToRestore(scope, id)
  requireDeleted(stored, 'tenant')
  await withinTenant(scope, stored.id, async (inner) => {
    await saveTenant(inner, stored.id, { deleted_on: null })
    await record(inner, 'tenant.restored', { type: 'tenant', id: stored.id }, { name: stored.name })
  })
  return getTenant(scope, stored.id)
}

/** Called inside its tenant. */
export async function findSubTenantToRestore({ actor, db }: Scope, id: string) {
  const stored = await db
    .selectFrom('sub_tenants')
    .select(['id', 'name', 'deleted_on', isStillThere.as('is_still_there')])
    .where('tenant_id', '=', actor.tenant_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  const only = enterableSubTenants(actor)
  if (!stored || (only && !only.includes(id.toLowerCase()))) throw notFound()
  if (!mayManageSubTenants(actor)) throw forbidden()
  return stored
}

export async function restoreSubTenant(scope: Scope, tenantId: string, id: string) {
  await insideTenant(scope, tenantId, async (inner) => {
    const stored = await findSubTenantToRestore(inner, id)
    requireDeleted(stored, 'sub-tenant')
    await requireMultiTenant(inner)
    await saveSubTenant(inner, id, { deleted_on: null })
    await record(inner, 'sub_tenant.restored', { type: 'sub_tenant', id }, { name: stored.name })
  })
  return getSubTenant(scope, tenantId, id)
}

type Stored = { deleted_on: Date | null; is_still_there: boolean }

function requireDeleted({ deleted_on, is_still_there }: Stored, what: string): void {
  if (!deleted_on) throw new Refusal(409, `This ${what} is not deleted.`)
  // The time to restore is over, but the nightly purge has not run yet.
  if (!is_still_there) throw notFound()
}

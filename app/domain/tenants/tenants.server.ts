import { sql, type Transaction, type Updateable } from 'kysely'
import type { DB, Tenants } from '#app/db/schema.ts'
import { mayManageTenants } from '#app/domain/access/permissions.ts'
import { enterableSubTenants } from '#app/domain/access/tenancy.ts'
import { record, recordChange } from '#app/domain/audit/audit.server.ts'
import { forbidden, invalid, stale } from '#app/domain/errors.ts'
import { type Scope, withinTenant } from '#app/domain/scope/scope.server.ts'
import { unlessTaken } from '#app/domain/unique-violation.server.ts'
import { addAdmins, listAdmins, unlessTakenWith } from './admins.server.ts'
import { countSoon } from './count-soon.server.ts'
import { findTenant, insideTenant } from './find-tenant.server.ts'
import { replaceLogo } from './logo.server.ts'
import { type StoredTenant, tenantSettings, toTenantRow } from './rows.server.ts'
import { subTenantsOf } from './sub-tenant-lists.server.ts'
import { hasSubTenants, type Tenant, type TenantChange, type TenantInput } from './tenant.ts'

export const TENANT_NAME_TAKEN = {
  tenants_name: ['name', 'Another tenant already has this name.'],
} as const

/** `me` is the tenant the caller is in. */
export async function getTenant(scope: Scope, id: string): Promise<Tenant> {
  return toTenant(scope, await findTenant(scope, id))
}

export async function createTenant(scope: Scope, input: TenantInput): Promise<Tenant> {
  if (!mayManageTenants(scope.actor)) throw forbidden()
  const { logo, admins, ...columns } = input
  const pool_id = await defaultPool(scope.db)
  const insert = () =>
    scope.db
      .insertInto('tenants')
      .values({ ...emptyToNull(columns), pool_id })
      .returning('id')
      .executeTakeFirstOrThrow()
  const { id } = await unlessTakenWith(scope, admins, () => unlessTaken(TENANT_NAME_TAKEN, insert), null)
  await withinTenant(scope, id, async (inner) => {
    const { logo_file_id } = await replaceLogo(inner, null, logo)
    if (logo_file_id)
      await inner.db.updateTable('tenants').set({ logo_file_id }).where('id', '=', id).execute()
    await record(inner, 'tenant.created', { type: 'tenant', id }, columns)
    await addAdmins(inner, admins)
    await countSoon(inner)
  })
  return getTenant(scope, id)
}

export async function updateTenant(scope: Scope, id: string, change: TenantChange): Promise<Tenant> {
  const stored = await findTenant(scope, id, 'to change it')
  if (!mayManageTenants(scope.actor) || stored.is_operator) throw forbidden()
  const { logo, admins, lock_version, ...columns } = change
  await withinTenant(scope, stored.id, async (inner) => {
    const { logo_file_id, ...logos } = await replaceLogo(inner, stored.logo_file_id, logo)
    const changed = { before: { ...stored, ...logos.before }, after: { ...columns, ...logos.after } }
    await requireLatest(scope, stored, lock_version, { ...changed.after, admins })
    if (change.customer_type && !hasSubTenants({ customer_type: change.customer_type })) {
      await requireNoSubTenants(scope, stored.id)
    }
    await unlessTakenWith(inner, admins, () =>
      saveTenant(inner, stored.id, { ...emptyToNull(columns), logo_file_id }),
    )
    await recordChange(inner, 'tenant.updated', { type: 'tenant', id: stored.id }, changed)
    await addAdmins(inner, admins)
  })
  return getTenant(scope, stored.id)
}

/** Its people are logged out immediately; its data is kept until it is purged. */
export async function deleteTenant(scope: Scope, id: string): Promise<void> {
  const stored = await findTenant(scope, id, 'to change it')
  if (!mayManageTenants(scope.actor) || stored.is_operator) throw forbidden()
  await withinTenant(scope, stored.id, async (inner) => {
    await saveTenant(inner, stored.id, { status: 'inactive', deleted_on: new Date() })
    await record(inner, 'tenant.deleted', { type: 'tenant', id: stored.id }, { name: stored.name })
  })
}

export async function saveTenant({ db }: Scope, id: string, columns: Updateable<Tenants>): Promise<void> {
  await unlessTaken(TENANT_NAME_TAKEN, () =>
    db
      .updateTable('tenants')
      .set({ ...columns, updated_on: new Date(), lock_version: sql`lock_version + 1` })
      .where('id', '=', id)
      .execute(),
  )
}

/** Without a version, the last to save wins. */
export async function requireLatest(
  scope: Scope,
  stored: StoredTenant,
  seen: number | undefined,
  sent: object,
): Promise<void> {
  if (seen !== undefined && seen !== stored.lock_version) throw stale(await toTenant(scope, stored), sent)
}

async function toTenant(scope: Scope, stored: StoredTenant): Promise<Tenant> {
  const visible = enterableSubTenants(scope.actor)
  return insideTenant(scope, stored.id, async (inner) => ({
    ...toTenantRow(stored),
    ...tenantSettings(stored),
    sub_tenants: (await subTenantsOf(inner, [stored.id], visible)).get(stored.id) ?? [],
    admins: await listAdmins(inner, null),
  }))
}

async function requireNoSubTenants({ db }: Scope, id: string): Promise<void> {
  const one = await db
    .selectFrom('sub_tenants')
    .select('id')
    .where('tenant_id', '=', id)
    .where('deleted_on', 'is', null)
    .executeTakeFirst()
  if (one) throw invalid({ customer_type: ['This tenant still has sub-tenants.'] })
}

/** An emptied form field clears the value. */
function emptyToNull<
  Columns extends { industry?: string | null | undefined; plan?: string | null | undefined },
>(columns: Columns) {
  const { industry, plan, ...rest } = columns
  return {
    ...rest,
    ...(industry === undefined ? {} : { industry: industry || null }),
    ...(plan === undefined ? {} : { plan: plan || null }),
  }
}

async function defaultPool(db: Transaction<DB>): Promise<string> {
  const pools = db.selectFrom('pools').select('id').where('is_default', '=', true)
  return (await pools.executeTakeFirstOrThrow()).id
}

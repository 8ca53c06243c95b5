/** Reading and changing the sub-tenants of a tenant. `tenantId` may be `me`: the tenant the caller is in. */
import { sql, type Updateable } from 'kysely'
import type { SubTenants } from '#app/db/schema.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import { mayManageSubTenants } from '#app/domain/access/permissions.ts'
import { enterableSubTenants, mayEditSubTenantCompany } from '#app/domain/access/tenancy.ts'
import { record, recordChange } from '#app/domain/audit/audit.server.ts'
import { forbidden, notFound, Refusal, stale } from '#app/domain/errors.ts'
import { offsetOf, type PageQuery } from '#app/domain/page.ts'
import { askOnce } from '#app/domain/scope/ask-once.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { countWithPage, findIds, limitOf, paginateFound } from '#app/domain/search.server.ts'
import { unlessTaken } from '#app/domain/unique-violation.server.ts'
import { addAdmins, listAdmins, unlessTakenWith } from './admins.server.ts'
import type { SubTenantCompanyInput } from './company.ts'
import { findTenant, insideTenant } from './find-tenant.server.ts'
import { replaceLogo } from './logo.server.ts'
import { type StoredSubTenant, toSubTenantRow } from './rows.server.ts'
import { isStillThere } from './still-there.server.ts'
import type { SUB_TENANT_ORDERS, SubTenant, SubTenantChange, SubTenantInput } from './sub-tenant.ts'
import { ownRules, readRules, settleRules } from './sub-tenant-rules.server.ts'
import { takeRules } from './sub-tenant-rules.ts'
import { hasSubTenants } from './tenant.ts'

type SubTenantQuery = PageQuery<(typeof SUB_TENANT_ORDERS)[number]> & { deleted?: boolean }

const COLUMN = { date: 'created_on', name: 'name', status: 'status' } as const
const NAME_TAKEN = { sub_tenants_name: ['name', 'Another sub-tenant already has this name.'] } as const

export function listSubTenants(scope: Scope, tenantId: string, query: SubTenantQuery) {
  return insideTenant(scope, tenantId, async (inner) => {
    const { db, actor } = inner
    const { order } = query
    const found = query.q === '' ? null : await findIds(inner, 'sub_tenants', query.q)
    const only = enterableSubTenants(actor)
    const matching = db
      .selectFrom('sub_tenants')
      .where('tenant_id', '=', actor.tenant_id)
      .where((where) => (query.deleted ? isStillThere : where('deleted_on', 'is', null)))
      .$if(only !== null, (q) => q.where(sql<boolean>`id = any(${only}::uuid[])`))
      .$if(found !== null, (q) => q.where(sql<boolean>`id = any(${found?.ids}::uuid[])`))

    const rows = await matching
      .selectAll()
      .orderBy(COLUMN[query.order_by], order)
      .orderBy('id', order)
      .limit(limitOf(query))
      .offset(offsetOf(query))
      .execute()
    const total = await countWithPage(inner, matching.select('id'), query, rows.length)
    return { data: rows.map(toSubTenantRow), pagination: paginateFound(total, query, found) }
  })
}

export function getSubTenant(scope: Scope, tenantId: string, id: string): Promise<SubTenant> {
  return insideTenant(scope, tenantId, async (inner) => toSubTenant(inner, await findSubTenant(inner, id)))
}

export function createSubTenant(scope: Scope, tenantId: string, input: SubTenantInput): Promise<SubTenant> {
  return insideTenant(scope, tenantId, async (inner) => {
    const { tenant_id } = inner.actor
    if (!mayManageSubTenants(inner.actor)) throw forbidden()
    await requireMultiTenant(inner)
    const { logo, admins, ...given } = input
    const { rules, columns } = takeRules(given)
    const settings = await settleRules(inner, { settings: {} }, rules)
    const insert = () =>
      inner.db
        .insertInto('sub_tenants')
        .values({ ...columns, settings, tenant_id })
        .returning('id')
        .executeTakeFirstOrThrow()
    const { id } = await unlessTakenWith(inner, admins, () => unlessTaken(NAME_TAKEN, insert))
    const { logo_file_id } = await replaceLogo(inner, null, logo, id)
    if (logo_file_id) await saveSubTenant(inner, id, { logo_file_id }, false)
    await record(inner, 'sub_tenant.created', { type: 'sub_tenant', id }, { ...columns, ...rules })
    await addAdmins(inner, admins, id)
    return toSubTenant(inner, await findSubTenant(inner, id))
  })
}

/** The lock keeps it multi-tenant until the transaction ends. */
export async function requireMultiTenant(scope: Scope): Promise<void> {
  const tenant = await findTenant(scope, scope.actor.tenant_id, 'to add to it')
  if (!hasSubTenants(tenant))
    throw new Refusal(409, 'Only tenants of the type Multi Tenant can have sub-tenants.')
}

export const updateSubTenant = (scope: Scope, tenantId: string, id: string, change: SubTenantChange) =>
  changeSubTenant(scope, tenantId, id, change, { may: mayManageSubTenants, action: 'sub_tenant.updated' })

/** The changes that a sub-tenant makes to itself. */
export const updateSubTenantCompany = (
  scope: Scope,
  tenantId: string,
  id: string,
  change: SubTenantCompanyInput,
) => changeSubTenant(scope, tenantId, id, change, { may: mayEditSubTenantCompany, action: 'company.updated' })

type By = {
  may(actor: Actor, id: string): boolean
  action: 'sub_tenant.updated' | 'company.updated'
}

function changeSubTenant(scope: Scope, tenantId: string, id: string, change: SubTenantChange, by: By) {
  return insideTenant(scope, tenantId, async (inner) => {
    const stored = await findSubTenant(inner, id, 'to change it')
    if (!by.may(inner.actor, stored.id)) throw forbidden()
    const { logo, admins, lock_version = stored.lock_version, ...given } = change
    const { rules, columns } = takeRules(given)
    const settings = await settleRules(inner, stored, rules)
    const { logo_file_id, ...logos } = await replaceLogo(inner, stored.logo_file_id, logo, stored.id)
    const changed = {
      before: { ...stored, ...ownRules(stored), ...logos.before },
      after: { ...columns, ...rules, ...logos.after },
    }
    if (lock_version !== stored.lock_version)
      throw stale(await toSubTenant(inner, stored), { ...changed.after, admins })
    await unlessTakenWith(inner, admins, () =>
      saveSubTenant(inner, stored.id, { ...columns, settings, logo_file_id }),
    )
    await recordChange(inner, by.action, { type: 'sub_tenant', id: stored.id }, changed)
    await addAdmins(inner, admins, stored.id)
    return toSubTenant(inner, await findSubTenant(inner, stored.id))
  })
}

/** Nobody can enter it from now on; its data is kept until it is purged. */
export function deleteSubTenant(scope: Scope, tenantId: string, id: string): Promise<void> {
  return insideTenant(scope, tenantId, async (inner) => {
    const stored = await findSubTenant(inner, id, 'to change it')
    if (!mayManageSubTenants(inner.actor)) throw forbidden()
    await saveSubTenant(inner, id, { status: 'inactive', deleted_on: new Date() })
    await record(inner, 'sub_tenant.deleted', { type: 'sub_tenant', id }, { name: stored.name })
  })
}

/** Called in the tenant's own scope; a sub-tenant that the caller may not enter does not exist. */
export async function findSubTenant(scope: Scope, id: string, lock?: 'to change it') {
  const { db, actor } = scope
  const only = enterableSubTenants(actor)
  const query = db
    .selectFrom('sub_tenants')
    .selectAll()
    .where('tenant_id', '=', actor.tenant_id)
    .where('id', '=', id)
    .where('deleted_on', 'is', null)
  const found =
    only && !only.includes(id.toLowerCase())
      ? undefined
      : lock
        ? await query.forUpdate().executeTakeFirst()
        : await askOnce(scope, ['sub-tenant', id], () => query.executeTakeFirst())
  if (!found) throw notFound()
  return found
}

export async function saveSubTenant(
  { db, actor }: Scope,
  id: string,
  columns: Updateable<SubTenants>,
  counts = true,
): Promise<void> {
  await unlessTaken(NAME_TAKEN, () =>
    db
      .updateTable('sub_tenants')
      .set({ ...columns, updated_on: new Date() })
      .$if(counts, (query) => query.set({ lock_version: sql`lock_version + 1` }))
      .where('tenant_id', '=', actor.tenant_id)
      .where('id', '=', id)
      .execute(),
  )
}

async function toSubTenant(scope: Scope, stored: StoredSubTenant): Promise<SubTenant> {
  const rules = await readRules(scope, stored)
  return { ...toSubTenantRow(stored), ...rules, admins: await listAdmins(scope, stored.id) }
}

import { type ExpressionBuilder, sql } from 'kysely'
import type { DB } from '#app/db/schema.ts'
import { mayManageTenants } from '#app/domain/access/permissions.ts'
import { enterableSubTenants } from '#app/domain/access/tenancy.ts'
import { forbidden } from '#app/domain/errors.ts'
import { filePath } from '#app/domain/files/files.server.ts'
import { offsetOf, type PageQuery } from '#app/domain/page.ts'
import { atHome, type Scope } from '#app/domain/scope/scope.server.ts'
import { countWithPage, findInEach, limitOf, paginateFound } from '#app/domain/search.server.ts'
import { toTenantRow } from './rows.server.ts'
import { isStillThere } from './still-there.server.ts'
import { subTenantsOf } from './sub-tenant-lists.server.ts'
import type { ListedTenant, TENANT_ORDERS, TenantChoice } from './tenant.ts'

type TenantQuery = PageQuery<(typeof TENANT_ORDERS)[number]> & {
  include_sub_tenants?: boolean
  /** Lists deleted tenants instead. */
  deleted?: boolean
}

const COLUMN = {
  date: 'tenants.created_on',
  name: 'tenants.name',
  status: 'tenants.status',
  customer_type: 'tenants.customer_type',
} as const
const MAX_CHOICES = 500

export async function listTenants(scope: Scope, query: TenantQuery) {
  if (!mayManageTenants(scope.actor)) throw forbidden()
  const { order } = query
  const found = await findNamed(scope, query.q)
  const matching = scope.db
    .selectFrom('tenants')
    .where(query.deleted ? isDeletedCustomer : isCustomer)
    .where(isNamed(found))

  const rows = await matching
    .selectAll()
    .orderBy(COLUMN[query.order_by], order)
    .orderBy('tenants.id', order)
    .limit(limitOf(query))
    .offset(offsetOf(query))
    .execute()
  const data: ListedTenant[] = rows.map((row) => ({
    ...toTenantRow(row),
    people: row.people,
    running_journeys: row.running_journeys,
  }))
  if (query.include_sub_tenants) {
    const subTenants = await subTenantsOf(
      scope,
      rows.map((row) => row.id),
    )
    for (const row of data) row.sub_tenants = subTenants.get(row.id) ?? []
  }
  const total = await countWithPage(scope, matching.select('id'), query, rows.length)
  return { data, pagination: paginateFound(total, query, ...(found?.values() ?? [])) }
}

/** Tenants that the caller may enter: every customer for a super admin, for others their own company. */
export async function listTenantChoices(scope: Scope, q = ''): Promise<TenantChoice[]> {
  return scope.actor.is_super_admin
    ? atHome(scope, (home) => readChoices(home, q, null))
    : readChoices(scope, q, enterableSubTenants(scope.actor))
}

async function readChoices(scope: Scope, q: string, only: string[] | null): Promise<TenantChoice[]> {
  const found = await findNamed(scope, q)
  const rows = await scope.db
    .selectFrom('tenants')
    .select(['id', 'name', 'logo_file_id', 'status'])
    .where(isCustomer)
    .where(isNamed(found))
    .orderBy('name')
    .limit(MAX_CHOICES)
    .execute()
  const subTenants = await subTenantsOf(
    scope,
    rows.map((row) => row.id),
    only,
  )
  return rows.map(({ logo_file_id, status, ...row }) => ({
    ...row,
    status: status as TenantChoice['status'],
    logo: filePath(row.id, logo_file_id),
    sub_tenants: subTenants.get(row.id) ?? [],
  }))
}

type Tenants = ExpressionBuilder<DB, 'tenants'>

const isCustomer = (where: Tenants) =>
  where.and([where('deleted_on', 'is', null), where('is_operator', '=', false)])

const isDeletedCustomer = (where: Tenants) => where.and([isStillThere, where('is_operator', '=', false)])

const findNamed = (scope: Scope, q: string) =>
  q === '' ? null : findInEach(scope, ['tenants', 'sub_tenants'], q)

/** Matches the tenant's own name, or that of one of its sub-tenants. */
const isNamed = (found: Awaited<ReturnType<typeof findNamed>>) => (where: Tenants) => {
  if (found === null) return where.lit(true)
  const subTenants = where
    .selectFrom('sub_tenants')
    .select('sub_tenants.tenant_id')
    .where('sub_tenants.deleted_on', 'is', null)
    .where(sql<boolean>`sub_tenants.id = any(${found.get('sub_tenants')?.ids}::uuid[])`)
  const named = sql<boolean>`tenants.id = any(${found.get('tenants')?.ids}::uuid[])`
  return where.or([named, where('tenants.id', 'in', subTenants)])
}

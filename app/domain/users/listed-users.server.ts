/** The statement behind the list of people: a page with all columns, the total, and the values of the filters. */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { plannedOnce } from '#app/db/plans/named.server.ts'
import type { DB } from '#app/db/schema.ts'
import { DEFAULT_PER_PAGE, offsetOf } from '#app/domain/page.ts'
import { type Scope, scopeTenant } from '#app/domain/scope/scope.server.ts'
import { type Found, limitOf, MAX_COUNT } from '#app/domain/search.server.ts'
import { columnsOf, inOrder, isFiltered, isSome, matching, type UserQuery } from './matching-users.server.ts'
import { accountsHere } from './rights.server.ts'
import type { FILTERED } from './user-search.ts'

type Filter = (typeof FILTERED)[number]
/** Whose values are read with the list; `sub_tenants` as well. */
export type Facets = { of: readonly Filter[]; sub_tenants: boolean }

export function readListed({ db }: Scope, query: UserQuery, found: Found | null, facets: Facets) {
  if (found === null && isFirstOfAll(query)) return firstOfAll(query, facets)(db)
  return statementOf(db, query, found, facets, false).execute()
}

/** `first`: the unfiltered first page, which varies only in its order. */
function statementOf(db: Kysely<DB>, query: UserQuery, found: Found | null, facets: Facets, first: boolean) {
  const { per_page, order } = query
  const listed = inOrder(db, query, found)
    .selectAll()
    .limit(first ? sql.lit(per_page) : limitOf(query))
    .$if(!first && !found?.is_page, (q) => q.offset(offsetOf(query)))
  const rows = db
    .selectFrom(
      db
        .selectNoFrom([
          sql<number>`${totalOf(db, query, found, first)}`.as('total'),
          sql<string[][]>`jsonb_build_array(${sql.join(facets.of.map(facetOf))})`.as('facets'),
          sql<SubTenant[] | null>`${facets.sub_tenants ? subTenants(query) : sql.lit(null)}`.as(
            'sub_tenants',
          ),
        ])
        // The offset makes it run once, not for each row.
        .offset(sql.lit(0))
        .as('counted'),
    )
    .leftJoinLateral(listed.as('users'), (join) => join.onTrue())
    .selectAll()
    .select(rolesAndAccount)
  return columnsOf(query).reduce((sorted, column) => sorted.orderBy(`users.${column}`, order), rows)
}

/** Columns of a person besides the row in `users`. */
export const rolesAndAccount = (one: Pick<ExpressionBuilder<DB, never>, 'selectFrom' | 'exists'>) => {
  const id = sql.ref<number>('users.id')
  return [
    jsonArrayFrom(
      one
        .selectFrom('user_general_roles as given')
        .select(['given.user_id', 'given.role', 'given.tenant_id', 'given.sub_tenant_id'])
        .where('given.user_id', '=', id)
        .orderBy('given.id'),
    ).as('held'),
    one.exists(accountsHere(one).where('known.user_id', '=', id)).as('has_account'),
  ] as const
}

/** The total: by index for everybody, a role or a department; search results were counted when they were found. */
function totalOf(db: Kysely<DB>, query: UserQuery, found: Found | null, first: boolean) {
  if (found && !isFiltered(query)) return sql`${found.count}::int`
  const counted = db
    .selectFrom(
      matching(db, query, found)
        .select('id')
        .$if(first, (q) => q.orderBy('id'))
        .limit(sql.lit(MAX_COUNT + 1))
        .as('found'),
    )
    .select((q) => q.fn.countAll<number>().as('total'))
  const { group_id, ...rest } = query
  if (found || query.user_ids !== undefined) return counted
  if (group_id !== undefined)
    return isSome(rest.role) || isSome(rest.sub_tenant_id) || isFiltered(rest)
      ? counted
      : sql`coalesce((${keptOf(db, group_id)}), (${counted}))`
  const narrowed = Object.entries(OF).map(([name, of]) => {
    const values = query[name as keyof typeof OF]
    return sql`, ${sql.raw(of)} => ${isSome(values) ? values : null}`
  })
  return sql`coalesce(count_people(${sql.lit(MAX_COUNT + 1)}${sql.join(first ? [] : narrowed, sql``)}), ${counted})`
}

/** The stored number of people in a group; not inside a sub-tenant, where not all of them are visible. */
const keptOf = (db: Kysely<DB>, group_id: number) =>
  db
    .selectFrom('user_groups')
    .select((q) => q.fn<number>('least', ['people', sql.lit(MAX_COUNT + 1)]).as('total'))
    .where('id', '=', group_id)
    .where(sql<boolean>`scope_sub_tenant() is null`)

/** Parameters by which `count_people` counts with an index; it returns null for unsupported combinations. */
const OF = {
  role: 'of_roles',
  activation_status: 'of_statuses',
  sub_tenant_id: 'of_sub_tenants',
  department: 'of_departments',
} satisfies Record<Filter | 'role' | 'activation_status' | 'sub_tenant_id', string>

/** The most frequent query: each of its parts is read with an index of the tenant, for few people or many. */
const isFirstOfAll = (query: UserQuery): boolean =>
  !isSome(query.role) &&
  !isSome(query.sub_tenant_id) &&
  !isFiltered(query) &&
  query.page === 1 &&
  query.per_page === DEFAULT_PER_PAGE &&
  query.order_by !== 'email'

const firsts = new Map<string, ReturnType<typeof plannedFirst>>()
const plannedFirst = (query: UserQuery, facets: Facets) =>
  plannedOnce((db) => statementOf(db, query, null, facets, true))

function firstOfAll(query: UserQuery, facets: Facets) {
  const key = [query.order_by, query.order, facets.sub_tenants, ...facets.of].join()
  const known = firsts.get(key) ?? plannedFirst(query, facets)
  firsts.set(key, known)
  return known
}

const MAX_VALUES = 20

/** Reads distinct values one by one along the index: many people share few of them. */
function facetOf(name: Filter) {
  const column = sql.ref(name)
  return sql`array(with recursive facet as (
    (select ${column} as value from users where ${column} is not null order by ${column} limit 1)
    union all
    select (select ${column} from users where ${column} > facet.value order by ${column} limit 1)
    from facet where facet.value is not null)
    select value from facet where value is not null limit ${sql.lit(MAX_VALUES)})`
}

type SubTenant = { id: string; name: string }

/** The first by name, and those that the list is filtered by. */
function subTenants({ sub_tenant_id }: UserQuery) {
  const there = sql`(select id, name from sub_tenants where tenant_id = ${scopeTenant} and deleted_on is null`
  const wanted = isSome(sub_tenant_id) ? sql` union ${there} and id = any(${sub_tenant_id}::uuid[]))` : sql``
  return sql`(select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name) order by name), '[]')
    from (${there} order by name limit ${sql.lit(MAX_VALUES)})${wanted}) s)`
}

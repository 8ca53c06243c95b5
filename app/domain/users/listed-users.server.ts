/** The statement behind the list of people: a page with all columns, the total, and the values of the filters. */
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { plannedOnce } from '#app/db/plans/named.server.ts'
import type { DB } from '#app/db/schema.ts'
import type { GeneralRole } from '#app/domain/access/actor.ts'
import { DEFAULT_PER_PAGE, offsetOf, type PageQuery } from '#app/domain/page.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { type Found, limitOf, MAX_COUNT, rowsOf } from '#app/domain/search.server.ts'
import { accountsHere } from './rights.server.ts'
import type { USER_ORDERS } from './user.ts'
import { FILTERED } from './user-search.ts'

export type UserQuery = PageQuery<(typeof USER_ORDERS)[number]> & {
  role: readonly GeneralRole['role'][]
  /** Only these people. */
  user_ids?: readonly number[] | undefined
  group_id?: number | undefined
} & { [Name in (typeof FILTERED)[number]]?: readonly string[] }
export type Matching = Omit<UserQuery, 'page' | 'per_page'>

const COLUMNS = {
  date: 'created_on',
  name: 'last_name',
  email: 'email',
  status: 'activation_status',
} as const
export type Filter = (typeof FILTERED)[number]

export function readListed({ db }: Scope, query: UserQuery, found: Found | null, filters: readonly Filter[]) {
  if (found === null && isFirstOfAll(query)) return firstOfAll(query, filters)(db)
  return statementOf(db, query, found, filters, false).execute()
}

/** `first`: the unfiltered first page, which varies only in its order. */
function statementOf(
  db: Kysely<DB>,
  query: UserQuery,
  found: Found | null,
  filters: readonly Filter[],
  first: boolean,
) {
  const { per_page, order_by, order } = query
  const listed = inOrder(db, query, found)
    .selectAll()
    .limit(first ? sql.lit(per_page) : limitOf(query))
    .$if(!first && !found?.is_page, (q) => q.offset(offsetOf(query)))
  return db
    .selectFrom(
      db
        .selectNoFrom([
          sql<number>`${totalOf(db, query, found, first)}`.as('total'),
          sql<string[][]>`jsonb_build_array(${sql.join(filters.map(facetOf))})`.as('facets'),
        ])
        // The offset makes it run once, not for each row.
        .offset(sql.lit(0))
        .as('counted'),
    )
    .leftJoinLateral(listed.as('users'), (join) => join.onTrue())
    .selectAll()
    .select(rolesAndAccount)
    .orderBy(`users.${COLUMNS[order_by]}`, order)
    .$if(order_by === 'name', (q) => q.orderBy('users.first_name', order))
    .orderBy('users.id', order)
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
    return rest.role.length > 0 || isFiltered(rest)
      ? counted
      : sql`coalesce((${keptOf(db, group_id)}), (${counted}))`
  const wanted = [
    ...FILTERED.map((name) => [OF[name], query[name] ?? []] as const),
    [OF_ROLES, query.role] as const,
  ]
  const narrowed = wanted.map(([of, values]) => sql`, ${sql.raw(of)} => ${orNull(values)}::text[]`)
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
const OF: Record<Filter, string> = { department: 'of_departments' }
const OF_ROLES = 'of_roles'
const orNull = <Value>(values: readonly Value[]) => (values.length > 0 ? values : null)

/** The most frequent query: each of its parts is read with an index of the tenant, for few people or many. */
const isFirstOfAll = (query: UserQuery): boolean =>
  query.role.length === 0 &&
  !isFiltered(query) &&
  query.page === 1 &&
  query.per_page === DEFAULT_PER_PAGE &&
  query.order_by !== 'email'

/** Filters other than search text and roles, which the search applies itself. */
export const isFiltered = ({ user_ids, group_id, ...query }: Matching): boolean =>
  user_ids !== undefined || group_id !== undefined || FILTERED.some((name) => query[name]?.length)

const firsts = new Map<string, ReturnType<typeof plannedFirst>>()
const plannedFirst = (query: UserQuery, filters: readonly Filter[]) =>
  plannedOnce((db) => statementOf(db, query, null, filters, true))

function firstOfAll(query: UserQuery, filters: readonly Filter[]) {
  const key = [query.order_by, query.order, ...filters].join()
  const known = firsts.get(key) ?? plannedFirst(query, filters)
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

const matching = (db: Kysely<DB>, query: Matching, found: Found | null) =>
  db.selectFrom(rowsOf('users', found).as('users')).where((where) => matches(where, query, found))

export const inOrder = (db: Kysely<DB>, query: Matching, found: Found | null) =>
  matching(db, query, found)
    .orderBy(COLUMNS[query.order_by], query.order)
    .$if(query.order_by === 'name', (q) => q.orderBy('first_name', query.order))
    .orderBy('id', query.order)

const inGroup = (where: ExpressionBuilder<DB, 'users'>, id: number) =>
  where.selectFrom('user_group_users').select('user_id').where('group_id', '=', id)

function matches(where: ExpressionBuilder<DB, 'users'>, query: Matching, found: Found | null) {
  const { role, user_ids, group_id } = query
  const wanted: Expression<SqlBool>[] = []
  for (const name of FILTERED) if (query[name]?.length) wanted.push(where(name, 'in', query[name]))
  if (user_ids) wanted.push(where('id', 'in', user_ids))
  if (group_id) wanted.push(where('id', 'in', inGroup(where, group_id)))
  // Search results are limited to the role already.
  if (role.length > 0 && !found) {
    // Checked person by person until the page is full: `exists` would read the roles of all people first.
    const held = where
      .selectFrom('user_general_roles as held')
      .select(sql<boolean>`true`.as('is_held'))
      .whereRef('held.user_id', '=', 'users.id')
      .where('held.role', 'in', role)
      .limit(1)
    wanted.push(sql<boolean>`${held}`)
  }
  return where.and(wanted)
}

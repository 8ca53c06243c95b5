import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { PLANNED_ONCE } from '#app/db/named.server.ts'
import type { DB, Users } from '#app/db/schema.ts'
import type { GeneralRole } from '#app/domain/access/actor.ts'
import { may } from '#app/domain/access/permissions.ts'
import { forbidden, notFound } from '#app/domain/errors.ts'
import { DEFAULT_PER_PAGE, type PageQuery } from '#app/domain/page.ts'
import type { Scope } from '#app/domain/scope.server.ts'
import { type Found, findIds, MAX_COUNT, paginateFound } from '#app/domain/search.server.ts'
import { accountsHere, readRights } from './rights.server.ts'
import type { USER_ORDERS, User } from './user.ts'
import { rolesOf, toUser } from './user-rows.server.ts'
import { FILTERED, ofEachFilter } from './user-search.ts'

export type UserQuery = PageQuery<(typeof USER_ORDERS)[number]> & {
  role: readonly GeneralRole['role'][]
  user_ids?: readonly number[] | undefined
  group_id?: number | undefined
} & { [Name in (typeof FILTERED)[number]]?: readonly string[] }
type Matching = Omit<UserQuery, 'page' | 'per_page'>

const COLUMNS = {
  date: 'created_on',
  name: 'last_name',
  email: 'email',
  status: 'activation_status',
} as const

export const listUsersWithFacets = (scope: Scope, query: UserQuery) => listUsers(scope, query, FILTERED)

type Filter = (typeof FILTERED)[number]

/** A page of people with all that the list shows of them, in one statement. */
export async function listUsers(scope: Scope, query: UserQuery, filters: readonly Filter[] = []) {
  if (!may(scope.actor, 'users:view')) throw forbidden()
  const found = await findPeople(scope, query)
  const read = await readListed(scope, query, found, filters)
  const { total = 0, facets = [] } = read[0] ?? {}
  const pagination = paginateFound(total, query, found)
  // Also of nobody there is a row, with the count and the facets.
  const rows = query.page > pagination.total_pages ? [] : read.filter(isListed)
  const rights = await readRights(scope, rows)
  const values = facets.values()
  return {
    data: rows.map((row) => toUser(scope, row, row.held, rights)),
    pagination,
    facets: ofEachFilter(() => values.next().value ?? []),
  }
}

type Listed = Awaited<ReturnType<typeof readListed>>[number]
const isListed = (row: Listed): row is Listed & Selectable<Users> => row.id !== null

function readListed(scope: Scope, query: UserQuery, found: Found | null, filters: readonly Filter[]) {
  const { page, per_page, order_by, order } = query
  const isUsual = found === null && isFirstOfAll(query)
  const counted = scope.db.selectFrom(
    matching(scope, query, found)
      .select('id')
      .$if(isUsual, (q) => q.orderBy('id'))
      .limit(sql.lit(MAX_COUNT + 1))
      .as('found'),
  )
  const listed = inOrder(scope, query, found)
    .selectAll()
    .limit(isUsual ? sql.lit(per_page) : per_page)
    .$if(!isUsual, (q) => q.offset((page - 1) * per_page))
  return scope.db
    .selectFrom(
      counted
        .select((q) => [
          q.fn.countAll<number>().as('total'),
          sql<string[][]>`jsonb_build_array(${sql.join(filters.map(facetOf))})`.as('facets'),
        ])
        .as('counted'),
    )
    .leftJoinLateral(listed.as('users'), (join) => join.onTrue())
    .selectAll()
    .select((one) => [
      jsonArrayFrom(
        one
          .selectFrom('user_general_roles as given')
          .select(['given.user_id', 'given.role', 'given.tenant_id', 'given.sub_tenant_id'])
          .whereRef('given.user_id', '=', 'users.id')
          .orderBy('given.id'),
      ).as('held'),
      one.exists(accountsHere(one).where('known.user_id', '=', one.ref('users.id'))).as('has_account'),
    ])
    .orderBy(`users.${COLUMNS[order_by]}`, order)
    .$if(order_by === 'name', (q) => q.orderBy('users.first_name', order))
    .orderBy('users.id', order)
    .$if(isUsual, (q) => q.modifyEnd(PLANNED_ONCE))
    .execute()
}

/** What most ask for: each part of it is read along an index of the tenant, few people or many. */
const isFirstOfAll = ({ page, per_page, order_by, order: _, q, role, ...filters }: UserQuery): boolean =>
  page === 1 &&
  q === '' &&
  per_page === DEFAULT_PER_PAGE &&
  order_by !== 'email' &&
  role.length === 0 &&
  Object.values(filters).every(
    (filter) => filter === undefined || (Array.isArray(filter) && filter.length === 0),
  )

const MOST_VALUES = 20

/** Value by value along the index: many people have few of them. */
function facetOf(name: Filter) {
  const column = sql.ref(name)
  return sql`array(with recursive facet as (
    (select ${column} as value from users where ${column} is not null order by ${column} limit 1)
    union all
    select (select ${column} from users where ${column} > facet.value order by ${column} limit 1)
    from facet where facet.value is not null)
    select value from facet where value is not null limit ${sql.lit(MOST_VALUES)})`
}

/** All who match, in the order of the list; who may ask is the caller's to know. */
export async function matchingUserIds(scope: Scope, query: Matching, most: number) {
  const found = await findPeople(scope, query, most)
  const rows = await inOrder(scope, query, found).select('id').limit(most).execute()
  return rows.map(({ id }) => id)
}

export async function getUser(scope: Scope, id: number): Promise<User> {
  const stored = await scope.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  if (!stored) throw notFound()
  if (!may(scope.actor, 'users:view') && scope.actor.user_id !== id) throw forbidden()
  return toUser(scope, stored, await rolesOf(scope, [id]), await readRights(scope, [stored]))
}

/** Who is looked at; null: everybody in the order of the list, and each is asked for their role. */
const findPeople = async (
  scope: Scope,
  { q, role }: Matching,
  most: number = MAX_COUNT,
): Promise<Found | null> =>
  q === '' ? findFew(scope, role, most) : findIds(scope, 'users', q, { roles: role, most })

/** Those of a role or a sub-tenant, where these are few among many: the list's order would lead past all the others. */
async function findFew({ db, actor }: Scope, role: Matching['role'], most: number): Promise<Found | null> {
  const { sub_tenant_id, user_id } = actor
  if (role.length === 0 && sub_tenant_id === null) return null
  const rows = await db
    .selectFrom('user_general_roles')
    .select('user_id')
    .$if(role.length > 0, (query) => query.where('role', 'in', role))
    .$if(sub_tenant_id !== null, (query) => query.where('sub_tenant_id', '=', sub_tenant_id))
    .limit(most + 1)
    .execute()
  if (rows.length > most) return null
  const ids = new Set(rows.map((row) => String(row.user_id)))
  // People see themselves wherever they are.
  if (role.length === 0 && user_id !== null) ids.add(String(user_id))
  return { ids: [...ids], is_all: true }
}

const matching = ({ db }: Scope, query: Matching, found: Found | null) =>
  db.selectFrom('users').where((where) => matches(where, query, found))

const inOrder = (scope: Scope, query: Matching, found: Found | null) =>
  matching(scope, query, found)
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
  if (found) wanted.push(sql<boolean>`id = any(${found.ids}::bigint[])`)
  // Those found were looked for among the role already.
  if (role.length > 0 && !found) {
    // Asked of one person after the other until the page is full: `exists` would read the roles of all people first.
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

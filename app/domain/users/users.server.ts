/** Reading the people of a tenant. */
import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { DB, Users } from '#app/db/schema.ts'
import type { GeneralRole } from '#app/domain/access/actor.ts'
import { may, mayEditUser } from '#app/domain/access/permissions.ts'
import { forbidden, notFound } from '#app/domain/errors.ts'
import { namesOf, pick } from '#app/domain/fields.ts'
import type { PageQuery } from '#app/domain/page.ts'
import type { Scope } from '#app/domain/scope.server.ts'
import { type Found, findIds, MAX_COUNT, paginateFound } from '#app/domain/search.server.ts'
import { PERSON } from './person.ts'
import { accountsHere, readRights } from './rights.server.ts'
import type { USER_ORDERS, User, UserRight } from './user.ts'
import { FILTERED, ofEachFilter } from './user-search.ts'

export type UserQuery = PageQuery<(typeof USER_ORDERS)[number]> & {
  role: readonly GeneralRole['role'][]
  /** Only these people. */
  user_ids?: readonly number[] | undefined
} & { [Name in (typeof FILTERED)[number]]?: readonly string[] }
type Matching = Omit<UserQuery, 'page' | 'per_page'>

const COLUMNS = {
  date: 'created_on',
  name: 'last_name',
  email: 'email',
  status: 'activation_status',
} as const

export async function listUsers(scope: Scope, query: UserQuery) {
  if (!may(scope.actor, 'users:view')) throw forbidden()
  const { page } = query
  const found = await findPeople(scope, query)
  const { total } = await scope.db
    .selectFrom(
      matching(scope, query, found)
        .select('id')
        .limit(MAX_COUNT + 1)
        .as('found'),
    )
    .select((q) => q.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const pagination = paginateFound(total, query, found)
  if (page > pagination.total_pages) return { data: [], pagination }
  const rows = await readListed(scope, query, found)
  const rights = await readRights(scope, rows)
  return { data: rows.map((row) => toUser(scope, row, row.held, rights)), pagination }
}

/** A page of people, with all that the list shows of them. */
function readListed(scope: Scope, query: UserQuery, found: Found | null) {
  const { page, per_page, order_by, order } = query
  const listed = inOrder(scope, query, found)
    .selectAll()
    .limit(per_page)
    .offset((page - 1) * per_page)
  return scope.db
    .selectFrom(listed.as('users'))
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
    .orderBy(COLUMNS[order_by], order)
    .$if(order_by === 'name', (q) => q.orderBy('first_name', order))
    .orderBy('id', order)
    .execute()
}

/** The page of the list, and what it can be filtered by. */
export async function listUsersWithFacets(scope: Scope, query: UserQuery) {
  const page = await listUsers(scope, query)
  const facets = ofEachFilter((): string[] => [])
  for (const name of FILTERED) facets[name] = await facetOf(scope, name)
  return { ...page, facets }
}

const MOST_VALUES = 20

/** Value by value along the index: many people have few of them. */
async function facetOf({ db }: Scope, name: (typeof FILTERED)[number]): Promise<string[]> {
  const column = sql.ref(name)
  const { rows } = await sql<{ value: string }>`with recursive facet as (
    (select ${column} as value from users where ${column} is not null order by ${column} limit 1)
    union all
    select (select ${column} from users where ${column} > facet.value order by ${column} limit 1)
    from facet where facet.value is not null)
    select value from facet where value is not null limit ${MOST_VALUES}`.execute(db)
  return rows.map(({ value }) => value)
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

function matches(where: ExpressionBuilder<DB, 'users'>, query: Matching, found: Found | null) {
  const { role, user_ids } = query
  const wanted: Expression<SqlBool>[] = []
  for (const name of FILTERED) if (query[name]?.length) wanted.push(where(name, 'in', query[name]))
  if (user_ids) wanted.push(where('id', 'in', user_ids))
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

async function rolesOf({ db }: Scope, ids: readonly number[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('user_general_roles')
    .select(['user_id', 'role', 'tenant_id', 'sub_tenant_id'])
    .where('user_id', 'in', ids)
    .orderBy('id')
    .execute()
}

function toUser(
  { actor }: Scope,
  row: Selectable<Users>,
  held: Awaited<ReturnType<typeof rolesOf>>,
  rights: ReadonlyMap<number, UserRight[]>,
): User {
  return {
    id: row.id,
    ...pick(row, namesOf(PERSON)),
    name: `${row.first_name} ${row.last_name}`.trim() || row.email,
    mobile_phone: mayEditUser(actor, row.id) ? row.mobile_phone : null,
    activation_status: row.activation_status as User['activation_status'],
    is_erased: row.erased_on !== null,
    user_general_roles: held
      .filter(({ user_id }) => user_id === row.id)
      .map(({ role, tenant_id, sub_tenant_id }) => ({
        role: role as GeneralRole['role'],
        tenant_id,
        sub_tenant_id,
      })),
    created_on: row.created_on.toISOString(),
    lock_version: row.lock_version,
    rights: rights.get(row.id) ?? [],
  }
}

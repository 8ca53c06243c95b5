/** Which people a list has, and in which order. */
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { DB } from '#app/db/schema.ts'
import type { GeneralRole } from '#app/domain/access/actor.ts'
import type { PageQuery } from '#app/domain/page.ts'
import { type Found, rowsOf } from '#app/domain/search.server.ts'
import type { USER_ORDERS, User } from './user.ts'
import { FILTERED } from './user-search.ts'

export type UserQuery = PageQuery<(typeof USER_ORDERS)[number]> & {
  role: readonly GeneralRole['role'][]
  /** With a role in one of these; with one of `role`, if that is given. */
  sub_tenant_id?: readonly string[] | undefined
  activation_status?: readonly User['activation_status'][] | undefined
  /** Only these people. */
  user_ids?: readonly number[] | undefined
  group_id?: number | undefined
} & { [Name in (typeof FILTERED)[number]]?: readonly string[] }
export type Matching = Omit<UserQuery, 'page' | 'per_page'>

const COLUMNS = {
  date: ['created_on', 'id'],
  name: ['last_name', 'first_name', 'id'],
  email: ['email', 'id'],
  status: ['activation_status', 'created_on', 'id'],
} as const
export const columnsOf = ({ order_by }: Pick<Matching, 'order_by'>) => COLUMNS[order_by]

/** Filters that are not applied before (`findPeople`), as roles always are, and sub-tenants except by the search. */
export const isFiltered = ({ user_ids, group_id, q, ...query }: Matching): boolean =>
  user_ids !== undefined ||
  group_id !== undefined ||
  isSome(query.activation_status) ||
  (q !== '' && isSome(query.sub_tenant_id)) ||
  FILTERED.some((name) => isSome(query[name]))

export const isSome = <Value>(values: readonly Value[] | undefined): values is readonly Value[] =>
  values !== undefined && values.length > 0

export const matching = (db: Kysely<DB>, query: Matching, found: Found | null) =>
  db.selectFrom(rowsOf('users', found).as('users')).where((where) => matches(where, query, found))

export const inOrder = (db: Kysely<DB>, query: Matching, found: Found | null) =>
  columnsOf(query).reduce((people, column) => people.orderBy(column, query.order), matching(db, query, found))

const inGroup = (where: ExpressionBuilder<DB, 'users'>, id: number) =>
  where.selectFrom('user_group_users').select('user_id').where('group_id', '=', id)

function matches(where: ExpressionBuilder<DB, 'users'>, query: Matching, found: Found | null) {
  const { role, sub_tenant_id, activation_status, user_ids, group_id, q } = query
  const wanted: Expression<SqlBool>[] = []
  for (const name of FILTERED) if (isSome(query[name])) wanted.push(where(name, 'in', query[name]))
  if (isSome(activation_status))
    wanted.push(where('activation_status', 'in', activation_status), where('erased_on', 'is', null))
  if (user_ids) wanted.push(where('id', 'in', user_ids))
  if (group_id) wanted.push(where('id', 'in', inGroup(where, group_id)))
  // Those found have the roles already; of sub-tenants the search knows nothing.
  const isPlaced = isSome(sub_tenant_id) && (!found || q !== '')
  if (isPlaced || (isSome(role) && !found)) {
    // Checked person by person until the page is full: `exists` would read the roles of all people first.
    const held = where
      .selectFrom('user_general_roles as held')
      .select(sql<boolean>`true`.as('is_held'))
      .whereRef('held.user_id', '=', 'users.id')
      .$if(isSome(role), (given) => given.where('held.role', 'in', role))
      .$if(isPlaced, (given) => given.where('held.sub_tenant_id', 'in', sub_tenant_id ?? []))
      .limit(1)
    wanted.push(sql<boolean>`${held}`)
  }
  return where.and(wanted)
}

import { type Selectable, sql } from 'kysely'
import type { Users } from '#app/db/schema.ts'
import { may } from '#app/domain/access/permissions.ts'
import { forbidden, notFound } from '#app/domain/errors.ts'
import { offsetOf } from '#app/domain/page.ts'
import { askOnce } from '#app/domain/scope/ask-once.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import {
  type Found,
  findIds,
  foundIn,
  MAX_COUNT,
  type Part,
  paginateFound,
} from '#app/domain/search.server.ts'
import { type Facets, readListed, rolesAndAccount } from './listed-users.server.ts'
import { inOrder, isFiltered, isSome, type Matching, type UserQuery } from './matching-users.server.ts'
import { readRights } from './rights.server.ts'
import type { User } from './user.ts'
import { toUser } from './user-rows.server.ts'
import { FILTERED, ofEachFilter } from './user-search.ts'

export function listUsersWithFacets(scope: Scope, query: UserQuery) {
  const { actor } = scope
  return listUsers(scope, query, {
    of: FILTERED,
    sub_tenants: actor.sub_tenant_id === null && may(actor, 'users:edit'),
  })
}

const NO_FACETS: Facets = { of: [], sub_tenants: false }

/** A page of people with all columns of the list, in one statement. */
export async function listUsers(scope: Scope, query: UserQuery, wanted = NO_FACETS) {
  if (!may(scope.actor, 'users:view')) throw forbidden()
  const found = await findPeople(scope, query, { page: isAsFound(query) ? query : undefined })
  const read = await readListed(scope, query, found, wanted)
  const { total = 0, facets = [], sub_tenants } = read[0] ?? {}
  const pagination = paginateFound(total, query, found)
  // Without people there is still one row, with the total and the facets.
  const rows = query.page > pagination.total_pages ? [] : read.filter(isListed)
  const rights = await readRights(scope, rows)
  const values = facets.values()
  return {
    data: rows.map((row) => toUser(scope, row, row.held, rights)),
    pagination,
    facets: {
      ...ofEachFilter(() => values.next().value ?? []),
      ...(sub_tenants && { sub_tenant_id: sub_tenants }),
    },
  }
}

type Listed = Awaited<ReturnType<typeof readListed>>[number]
const isListed = (row: Listed): row is Listed & Selectable<Users> => row.id !== null

/** All matching people, in the order of the list, unless `is_all` is false; the caller has to check permission. */
export async function matchingUserIds(scope: Scope, query: Matching, most: number) {
  const few = await findPeople(scope, query, { most })
  // A search that was cut off may lack people who match the other filters.
  const found = query.q === '' && few?.is_all === false ? null : few
  const rows = await inOrder(scope.db, query, found).select('id').limit(most).execute()
  return { ids: rows.map(({ id }) => id), is_all: found?.is_all ?? true }
}

export async function getUser(scope: Scope, id: number): Promise<User> {
  const stored = await askOnce(scope, ['user', id], () =>
    scope.db.selectFrom('users').selectAll().select(rolesAndAccount).where('id', '=', id).executeTakeFirst(),
  )
  if (!stored) throw notFound()
  if (!may(scope.actor, 'users:view') && scope.actor.user_id !== id) throw forbidden()
  return toUser(scope, stored, stored.held, await readRights(scope, [stored]))
}

/** The search is in the order of the list, so that a page of the list is a page of the search. */
const isAsFound = (query: UserQuery): boolean => query.order_by === 'date' && !isFiltered(query)

type How = { most?: number; page?: Part | undefined }

/** The candidates; null: everybody in the order of the list, checked for their role one by one. */
const findPeople = async (scope: Scope, query: Matching, how: How): Promise<Found | null> =>
  query.q === ''
    ? findFew(scope, query, how)
    : findIds(scope, 'users', query.q, { roles: query.role, ...how })

/** The people of roles or sub-tenants, if few among many: walking the list in its order would pass all the others. */
async function findFew(
  { db, actor }: Scope,
  query: Matching,
  { most = MAX_COUNT, page }: How,
): Promise<Found | null> {
  const { role, sub_tenant_id, user_ids, group_id } = query
  if (!isSome(role) && !isSome(sub_tenant_id) && actor.sub_tenant_id === null) return null
  // These are few anyway.
  if (user_ids !== undefined || group_id !== undefined) return null
  const [roles, places] = [role, sub_tenant_id].map((values) => (isSome(values) ? values : null))
  // For a page of the newest, only those up to its end are read, and all are counted by index.
  const isNewest = page?.order === 'desc' && actor.sub_tenant_id === null
  const read = isNewest ? Math.min(offsetOf(page) + page.per_page, most) : most
  const counted = sql`case when ids is not null
    then count_people(${MAX_COUNT + 1}, ${roles}::text[], of_sub_tenants => ${places}::uuid[]) end`
  const { rows } = await sql<Found | (Omit<Found, 'ids'> & { ids: null })>`select
    ${foundIn(page, isNewest ? counted : undefined)} from people_with_roles(${roles}::text[], ${read}, ${places}::uuid[])`.execute(
    db,
  )
  const [found] = rows
  if (!found || found.ids === null) return null
  if (isNewest) return { ...found, count: Math.min(found.count, MAX_COUNT), is_all: found.count <= MAX_COUNT }
  // The people that a filter wants may be beyond the ones that were read.
  return found.is_all || !isFiltered(query) ? found : null
}

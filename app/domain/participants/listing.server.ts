/** The list of a journey's participants. */
import { sql } from 'kysely'
import { offsetOf } from '#app/domain/page.ts'
import { getJourney } from '../journeys/journeys.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import {
  countUpTo,
  countWithPage,
  type Found,
  findIds,
  limitOf,
  MAX_COUNT,
  paginateFound,
  rowsOf,
} from '../search.server.ts'
import type { MemberQuery } from './member.ts'
import { readMembers, selectMembers, toMember } from './members.server.ts'

/** Without joining people, except inside a sub-tenant, where a membership can be visible and its person hidden. */
const selectSeen = (scope: Scope, journeyId: number, found: Found | null) =>
  scope.actor.sub_tenant_id === null
    ? scope.db.selectFrom(rowsOf('members', found).as('m')).where('m.journey_id', '=', journeyId)
    : selectMembers(scope, journeyId, found)

const BY_NAME = ['u.last_name', 'u.first_name', 'u.id', 'm.id']
const BY_DATE = ['m.joined_at', 'm.id']
const inOrder = (columns: readonly string[], order: MemberQuery['order']) =>
  sql.join(columns.map((column) => sql`${sql.ref(column)} ${sql.raw(order)}`))

export async function listMembers(scope: Scope, journeyId: number, query: MemberQuery) {
  await getJourney(scope, journeyId)
  const found = query.q ? await findIds(scope, 'participants', query.q, { journey: journeyId }) : null
  const matching = matches(query)
  // In the order of an index; otherwise each page would sort all members.
  const columns = query.order_by === 'name' ? BY_NAME : BY_DATE
  const page = (query.order_by === 'name' ? selectMembers : selectSeen)(scope, journeyId, found)
    .select('m.id')
    .where(matching)
    .orderBy(inOrder(columns, query.order))
    .limit(limitOf(query))
    .offset(offsetOf(query))
  // The other columns are read for this page only, not for everything that is sorted.
  const rows = await readMembers(scope, journeyId)
    .where(sql<boolean>`m.id = any(array(${page}))`)
    .orderBy(inOrder(columns, query.order))
    .execute()
  const counted = selectSeen(scope, journeyId, found).where(matching).select('m.id')
  const total = await countWithPage(scope, counted, query, rows.length, MAX_COUNT, keptOf(journeyId, query))
  const pagination = paginateFound(total, query, found)
  const outside = await countOutside(scope, journeyId, query, total)
  return { data: rows.map(toMember), pagination, ...(outside !== null && { outside }) }
}

const keptOf = (journeyId: number, { q, withdrawn, role, user_ids, member_id }: MemberQuery) =>
  q || withdrawn || user_ids || member_id
    ? null
    : sql<number | null>`count_members(${journeyId}, ${MAX_COUNT + 1}, ${role ?? null})`

/** The members of a sub-tenant's journey who do not belong to it, as the difference of two counts. `total`: those who do. */
async function countOutside(
  scope: Scope,
  journeyId: number,
  query: MemberQuery,
  total: number,
): Promise<number | null> {
  if (scope.actor.sub_tenant_id === null || query.q || total > MAX_COUNT) return null
  const all = scope.db.selectFrom('members as m').where('m.journey_id', '=', journeyId).where(matches(query))
  const counted = await countUpTo(scope, all.select('m.id'), total + MAX_COUNT)
  return counted - total
}

function matches({ withdrawn, role, user_ids, member_id }: MemberQuery) {
  const conditions = [withdrawn ? sql`m.state = 'withdrawn'` : sql`m.state <> 'withdrawn'`]
  if (role) conditions.push(sql`m.role = ${role}`)
  if (user_ids) conditions.push(sql`m.user_id = any(${user_ids}::bigint[])`)
  if (member_id) conditions.push(sql`m.id = ${member_id}`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

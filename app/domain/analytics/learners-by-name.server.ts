/** A page of a report's learners, ordered by name. */
import { type SqlBool, sql } from 'kysely'
import { rowById } from '#app/db/row-by-id.server.ts'
import { offsetOf } from '../page.ts'
import type { Scope } from '../scope/scope.server.ts'
import { countUpTo, findIds, limitOf, MAX_COUNT, rowsOf } from '../search.server.ts'
import { nameOfLearner } from '../text/learner-name.server.ts'
import { countLearners, isCrowd } from './learner-counts.server.ts'
import { selectLearners } from './learners.server.ts'
import type { AnalyticsFilters } from './query.ts'
import { isFoundBy } from './table-order.server.ts'

export type NamedLearner = { user_id: number; name: string; members: number[] }
/** `cap`: where counting stopped, if it did not reach the end. */
export type LearnersPage = { learners: NamedLearner[]; total: number; cap?: number }
type ByName = AnalyticsFilters & { q: string; order: 'asc' | 'desc'; page: number; per_page: number }

/** Lists at most the first `most` learners. */
export async function readLearnersByName(
  scope: Scope,
  query: ByName,
  as_of: Date,
  most = MAX_COUNT,
): Promise<LearnersPage> {
  const crowd = await readCrowd(scope, query, as_of, most)
  if (crowd) return crowd
  const learners = await selectByName(scope, query, as_of).execute()
  return { learners, total: learners[0]?.total ?? (await countPeople(scope, query, as_of)) }
}

export function selectPeople(scope: Scope, query: AnalyticsFilters & { q: string }, as_of: Date) {
  const all = selectLearners(scope, query, as_of).leftJoin('users as u', 'u.id', 'p.user_id')
  return query.q ? all.where(isFoundBy(query.q)) : all
}

/** Unless they are a crowd. An empty page carries no total. */
export const selectByName = (scope: Scope, query: ByName, as_of: Date) =>
  selectPeople(scope, query, as_of)
    .select(['p.user_id', nameOfLearner.as('name')])
    .select(sql<number[]>`array_agg(p.member_id)`.as('members'))
    .select(sql<number>`count(*) over ()`.as('total'))
    .groupBy(['p.user_id', 'u.id', 'u.first_name', 'u.last_name', 'u.email'])
    .orderBy(sql`row(lower(u.last_name), lower(u.first_name)) ${sql.raw(query.order)}`)
    .orderBy('p.user_id')
    .limit(query.per_page)
    .offset(offsetOf(query))

export async function countPeople(
  scope: Scope,
  query: AnalyticsFilters & { q: string },
  as_of: Date,
): Promise<number> {
  if (!query.q) return countLearners(scope, query, as_of)
  const { total } = await selectPeople(scope, query, as_of)
    .select(sql<number>`count(distinct p.user_id)`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** With too many learners to sort, walks the index of people by name until the page is full; otherwise null. */
export async function readCrowd(
  scope: Scope,
  query: ByName,
  as_of: Date,
  most: number,
): Promise<LearnersPage | null> {
  if (most !== MAX_COUNT || !(await isCrowd(scope, query, as_of))) return null
  const learners = selectLearners(scope, query, as_of)
  const theirs = learners.where(sql<SqlBool>`p.user_id = u.id`).select(sql`1`.as('one'))
  const found = query.q ? await findIds(scope, 'users', query.q) : null
  const met = scope.db
    .selectFrom(rowsOf('users', found).as('u'))
    .where(({ exists }) => exists(theirs.offset(0)))
  // Without a search all of the crowd match, which are more than are counted.
  const total = found ? await countUpTo(scope, met.select('u.id')) : MAX_COUNT + 1
  const shown = met
    .select(['u.last_name', 'u.first_name', 'u.id'])
    .orderBy('u.last_name', query.order)
    .orderBy('u.first_name', query.order)
    .orderBy('u.id', query.order)
    .limit(limitOf(query))
    .offset(offsetOf(query))
  // The names alone first: with other columns of many people who match, PostgreSQL would read them all and sort them.
  const page = await scope.db
    .selectFrom(shown.as('found'))
    .innerJoinLateral(rowById('users', 'found.id').as('u'), (join) => join.onTrue())
    .select(['u.id as user_id', nameOfLearner.as('name')])
    .orderBy('found.last_name', query.order)
    .orderBy('found.first_name', query.order)
    .orderBy('found.id', query.order)
    .execute()
  const members = await learners
    .where('p.user_id', '=', sql<number>`any(${page.map(({ user_id }) => user_id)}::bigint[])`)
    .select(['p.user_id', 'p.member_id'])
    .execute()
  const of = Map.groupBy(members, ({ user_id }) => user_id)
  return {
    learners: page.map((one) => ({
      ...one,
      members: of.get(one.user_id)?.map(({ member_id }) => member_id) ?? [],
    })),
    // Of a common word only the newest matches are known.
    ...(found?.is_all === false ? { total: total + 1, cap: total } : { total, cap: MAX_COUNT }),
  }
}

/** The report by learner. Sorted by name, it finds a page of people first and counts only their facts. */
import { sql } from 'kysely'
import { offsetOf, paginate } from '../page.ts'
import type { Scope } from '../scope/scope.server.ts'
import { MAX_COUNT } from '../search.server.ts'
import { nameOfLearner } from '../text/learner-name.server.ts'
import { type ByUser, type Counted, figuresOf } from './figures.ts'
import { requireSubjects } from './filters.server.ts'
import { countPeople, type NamedLearner, readLearnersByName } from './learners-by-name.server.ts'
import { asOf, countColumns, selectFacts } from './population.server.ts'
import type { AnalyticsQuery } from './query.ts'
import { requireFew } from './sums.server.ts'
import { activityBy, inReportOrder, isFoundBy } from './table-order.server.ts'

/** Lists at most the first `most` learners. */
export async function getByUser(scope: Scope, query: AnalyticsQuery, most = MAX_COUNT): Promise<ByUser> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const { rows, total, cap } = await read(scope, query, as_of, most)
  return {
    as_of: as_of.toISOString(),
    data: rows.map(({ user_id, name, last_activity, ...counts }) => ({
      ...{ user_id, name },
      last_activity: last_activity?.toISOString() ?? null,
      ...figuresOf(counts),
    })),
    pagination: paginate(total, query, cap),
  }
}

type Read = { rows: Row[]; total: number; cap?: number | undefined }
type Row = Counted & { user_id: number; name: string; last_activity: Date | null }

async function read(scope: Scope, query: AnalyticsQuery, as_of: Date, most: number): Promise<Read> {
  if (query.order_by !== 'name')
    return { rows: await readByFigure(scope, query, as_of), total: await countPeople(scope, query, as_of) }
  const { learners, total, cap } = await readLearnersByName(scope, query, as_of, most)
  return { rows: await countEach(scope, query, as_of, learners), total, cap }
}

async function countEach(
  scope: Scope,
  query: AnalyticsQuery,
  as_of: Date,
  page: readonly NamedLearner[],
): Promise<Row[]> {
  const members = page.flatMap((one) => one.members)
  const counted = await selectFacts(scope, query, as_of)
    .where('f.member_id', '=', sql<number>`any(${members}::bigint[])`)
    .select(['f.user_id', activityBy(as_of).as('last_activity')])
    .select(countColumns(as_of, query))
    .groupBy('f.user_id')
    .execute()
  const of = new Map(counted.map((row) => [row.user_id, row]))
  return page.flatMap(({ user_id, name }) => {
    const counts = of.get(user_id)
    return counts ? [{ ...counts, name }] : []
  })
}

async function readByFigure(scope: Scope, query: AnalyticsQuery, as_of: Date): Promise<Row[]> {
  await requireFew(scope, query, as_of)
  let facts = selectFacts(scope, query, as_of)
  if (query.q)
    facts = facts.where('f.user_id', 'in', (eb) =>
      eb.selectFrom('users as u').select('u.id').where(isFoundBy(query.q)),
    )
  return scope.db
    .selectFrom(
      facts
        .select(['f.user_id', activityBy(as_of).as('last_activity')])
        .select(countColumns(as_of, query))
        .groupBy('f.user_id')
        .as('counted'),
    )
    .leftJoin('users as u', 'u.id', 'counted.user_id')
    .selectAll('counted')
    .select(nameOfLearner.as('name'))
    .orderBy(inReportOrder(query, sql`lower(u.last_name), lower(u.first_name)`))
    .orderBy('counted.user_id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
}

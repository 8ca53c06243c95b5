/** The report by learner: by name a page of people is found first, and only their facts are counted. */
import { sql } from 'kysely'
import { offsetOf, paginate } from '../page.ts'
import type { Scope } from '../scope.server.ts'
import { nameOfLearner } from '../users/learner-name.server.ts'
import { type ByUser, type Counted, figuresOf } from './figures.ts'
import { requireSubjects } from './filters.server.ts'
import { selectLearners } from './learners.server.ts'
import { asOf, countColumns, selectFacts } from './population.server.ts'
import type { AnalyticsQuery } from './query.ts'
import { requireFew } from './sums.server.ts'
import { ACTIVITY, inOrderOfSums, nameContains } from './table-order.server.ts'

export async function getByUser(scope: Scope, query: AnalyticsQuery): Promise<ByUser> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const { rows, total } =
    query.order_by === 'name'
      ? await readByName(scope, query, as_of)
      : { rows: await readByFigure(scope, query, as_of), total: await countPeople(scope, query, as_of) }
  return {
    as_of: as_of.toISOString(),
    data: rows.map(({ user_id, name, last_activity, ...counts }) => ({
      ...{ user_id, name },
      last_activity: last_activity?.toISOString() ?? null,
      ...figuresOf(counts),
    })),
    pagination: paginate(total, query),
  }
}

type Read = { rows: Row[]; total: number }
type Row = Counted & { user_id: number; name: string; last_activity: Date | null }

function people(scope: Scope, query: AnalyticsQuery, as_of: Date) {
  const all = selectLearners(scope, query, as_of).leftJoin('users as u', 'u.id', 'p.user_id')
  return query.q ? all.where(nameContains(query.q)) : all
}

const BY_NAME = sql`lower(u.last_name), lower(u.first_name)`

async function countPeople(scope: Scope, query: AnalyticsQuery, as_of: Date): Promise<number> {
  const { total } = await people(scope, query, as_of)
    .select(sql<number>`count(distinct p.user_id)`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

async function readByName(scope: Scope, query: AnalyticsQuery, as_of: Date): Promise<Read> {
  const page = await people(scope, query, as_of)
    .select(['p.user_id', nameOfLearner.as('name')])
    .select(sql<number[]>`array_agg(p.member_id)`.as('members'))
    .select(sql<number>`count(*) over ()`.as('total'))
    .groupBy(['p.user_id', 'u.id', 'u.first_name', 'u.last_name'])
    .orderBy(inOrderOfSums(query, BY_NAME))
    .orderBy('p.user_id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
  const members = page.flatMap((one) => one.members)
  const counted = await selectFacts(scope, query, as_of)
    .where('f.member_id', '=', sql<number>`any(${members}::bigint[])`)
    .select(['f.user_id', ACTIVITY.as('last_activity')])
    .select(countColumns(as_of, query))
    .groupBy('f.user_id')
    .execute()
  const of = new Map(counted.map((row) => [row.user_id, row]))
  const rows = page.flatMap(({ user_id, name }) => {
    const counts = of.get(user_id)
    return counts ? [{ ...counts, name }] : []
  })
  // A page that is not there tells nothing.
  return { rows, total: page[0]?.total ?? (await countPeople(scope, query, as_of)) }
}

async function readByFigure(scope: Scope, query: AnalyticsQuery, as_of: Date): Promise<Row[]> {
  await requireFew(scope, query, as_of)
  let facts = selectFacts(scope, query, as_of)
  if (query.q)
    facts = facts.where('f.user_id', 'in', (eb) =>
      eb.selectFrom('users as u').select('u.id').where(nameContains(query.q)),
    )
  return scope.db
    .selectFrom(
      facts
        .select(['f.user_id', ACTIVITY.as('last_activity')])
        .select(countColumns(as_of, query))
        .groupBy('f.user_id')
        .as('counted'),
    )
    .leftJoin('users as u', 'u.id', 'counted.user_id')
    .selectAll('counted')
    .select(nameOfLearner.as('name'))
    .orderBy(inOrderOfSums(query, BY_NAME))
    .orderBy('counted.user_id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
}

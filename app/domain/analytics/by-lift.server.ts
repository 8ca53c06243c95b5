/** The report by lift: from the tallies of lifts, or counted from facts where the tallies cannot answer. */
import { type RawBuilder, sql } from 'kysely'
import { offsetOf, paginate } from '../page.ts'
import type { Scope } from '../scope/scope.server.ts'
import { countWithPage } from '../search.server.ts'
import { type ByLift, type Counted, figuresOf } from './figures.ts'
import { requireSubjects } from './filters.server.ts'
import { asOf, countColumns, selectFacts } from './population.server.ts'
import { listPromptFigures, selectTallied, type Tallied } from './prompt-figures.server.ts'
import type { AnalyticsQuery } from './query.ts'
import { requireFew, SUMMED, sumsOf } from './sums.server.ts'
import { inOrderOfSums, inReportOrder } from './table-order.server.ts'

export async function getByLift(scope: Scope, query: AnalyticsQuery): Promise<ByLift> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const lift = query.lift ?? query.lift_id
  const tallied = lift ? selectTallied(scope, query, lift, as_of) : sql<null>`null`
  const read =
    (await readSums(scope, query, as_of, tallied)) ?? (await countFacts(scope, query, as_of, tallied))
  const { rows, total } = read
  return {
    as_of: as_of.toISOString(),
    data: rows.map(({ lift_id, title, journey_id, journey, ...counts }) => ({
      ...{ lift_id, title, journey_id, journey },
      ...figuresOf(counts),
    })),
    pagination: paginate(total, query),
    prompts: lift && read.tallied ? await listPromptFigures(scope, query, lift, read.tallied) : [],
  }
}

type Row = Counted & { lift_id: number; title: string; journey_id: number; journey: string }
type Read = { rows: Row[]; total: number; tallied: Tallied | null }

async function readSums(
  scope: Scope,
  query: AnalyticsQuery,
  as_of: Date,
  tallied: RawBuilder<Read['tallied']>,
): Promise<Read | null> {
  const { q: _q, order_by, order: _order, page: _page, per_page, ...filters } = query
  const sums = order_by === 'activity' ? null : sumsOf(scope, filters, as_of)
  if (!sums) return null
  const { rows } = await sql<Read>`
    with counted as (
      select journey_id, lift_id, ${SUMMED} from ${sums} sums group by 1, 2 having sum(assigned) > 0
    ), shown as (
      select counted.*, l.title, j.name as journey, row_number() over (
        order by ${inOrderOfSums(query, sql`j.name, j.id, l.position`)}, counted.lift_id) as place
      from counted join lifts l on l.id = counted.lift_id join journeys j on j.id = counted.journey_id
      order by place limit ${per_page} offset ${offsetOf(query)}
    )
    select (select count(*) from counted) as total, ${tallied} as tallied,
      coalesce((select jsonb_agg(to_jsonb(shown) - 'place' order by place) from shown), '[]') as rows`.execute(
    scope.db,
  )
  return rows[0] ?? null
}

async function countFacts(
  scope: Scope,
  query: AnalyticsQuery,
  as_of: Date,
  tallied: RawBuilder<Read['tallied']>,
): Promise<Read> {
  await requireFew(scope, query, as_of)
  const facts = selectFacts(scope, query, as_of)
  const counted = await facts
    .innerJoin('lifts as l', 'l.id', 'f.lift_id')
    .innerJoin('journeys as j', 'j.id', 'f.journey_id')
    .select(['f.lift_id', 'l.title', 'f.journey_id', 'j.name as journey'])
    .select(countColumns(as_of, query))
    .select([sql<number>`count(*) over ()`.as('total'), tallied.as('tallied')])
    .groupBy(['f.lift_id', 'l.title', 'l.position', 'f.journey_id', 'j.name'])
    .orderBy(inReportOrder(query, as_of, sql`j.name, f.journey_id, l.position`))
    .orderBy('f.lift_id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
  const [first] = counted
  if (first) {
    const { total, tallied: told } = first
    return { total, tallied: told, rows: counted.map(({ total: _, tallied: _t, ...row }) => row) }
  }
  const lifts = facts.select('f.lift_id').groupBy('f.lift_id')
  const total = await countWithPage(scope, lifts, query, 0, Number.POSITIVE_INFINITY)
  if (total === 0) return { rows: [], total, tallied: null }
  const { rows } = await sql<Pick<Read, 'tallied'>>`select ${tallied} as tallied`.execute(scope.db)
  return { rows: [], total, tallied: rows[0]?.tallied ?? null }
}

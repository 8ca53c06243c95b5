/** The report by lift: from the tallies of lifts, or counted from facts where the tallies cannot answer. */
import { type RawBuilder, sql } from 'kysely'
import { offsetOf, paginate } from '../page.ts'
import type { Scope } from '../scope/scope.server.ts'
import { type ByLift, type Counted, figuresOf } from './figures.ts'
import { requireSubjects } from './filters.server.ts'
import { asOf, countColumns, selectFacts } from './population.server.ts'
import { listPromptFigures, selectTallied, type Tallied } from './prompt-figures.server.ts'
import type { AnalyticsQuery } from './query.ts'
import { requireFew, SUMMED, sumsOf } from './sums.server.ts'
import { activityBy, inReportOrder } from './table-order.server.ts'

export async function getByLift(scope: Scope, query: AnalyticsQuery): Promise<ByLift> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const lift = query.lift ?? query.lift_id
  const { rows, total, tallied } = await readRows(scope, query, as_of, lift)
  return {
    as_of: as_of.toISOString(),
    data: rows.map(({ lift_id, title, journey_id, journey, ...counts }) => ({
      ...{ lift_id, title, journey_id, journey },
      ...figuresOf(counts),
    })),
    pagination: paginate(total, query),
    prompts: lift && tallied ? await listPromptFigures(scope, query, lift, tallied) : [],
  }
}

type Row = Counted & { lift_id: number; title: string; journey_id: number; journey: string }
type Read = { rows: Row[]; total: number; tallied: Tallied | null }

async function readRows(
  scope: Scope,
  query: AnalyticsQuery,
  as_of: Date,
  lift: number | undefined,
): Promise<Read> {
  const counted = sumLifts(scope, query, as_of) ?? (await countLifts(scope, query, as_of))
  const tallied = lift ? selectTallied(scope, query, lift, as_of) : sql<null>`null`
  const { rows } = await sql<Read>`
    with counted as (${counted}), shown as (
      select counted.*, l.title, j.name as journey, row_number() over (
        order by ${inReportOrder(query, sql`j.name, j.id, l.position`)}, counted.lift_id) as place
      from counted join lifts l on l.id = counted.lift_id join journeys j on j.id = counted.journey_id
      order by place limit ${query.per_page} offset ${offsetOf(query)}
    )
    select (select count(*) from counted) as total, ${tallied} as tallied, coalesce(
      (select jsonb_agg(to_jsonb(shown) - '{place,last_activity}'::text[] order by place) from shown), '[]') as rows`.execute(
    scope.db,
  )
  return rows[0] ?? { rows: [], total: 0, tallied: null }
}

function sumLifts(scope: Scope, query: AnalyticsQuery, as_of: Date): RawBuilder<unknown> | null {
  const { q: _q, order_by, order: _order, page: _page, per_page: _per_page, ...filters } = query
  const sums = order_by === 'activity' ? null : sumsOf(scope, filters, as_of)
  return (
    sums &&
    sql`select journey_id, lift_id, ${SUMMED} from ${sums} sums group by 1, 2 having sum(assigned) > 0`
  )
}

async function countLifts(scope: Scope, query: AnalyticsQuery, as_of: Date): Promise<RawBuilder<unknown>> {
  await requireFew(scope, query, as_of)
  const lifts = selectFacts(scope, query, as_of)
    .select(['f.journey_id', 'f.lift_id'])
    .select(countColumns(as_of, query))
    .select(activityBy(as_of).as('last_activity'))
    .groupBy(['f.journey_id', 'f.lift_id'])
  return sql`${lifts}`
}

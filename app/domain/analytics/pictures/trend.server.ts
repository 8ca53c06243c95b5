import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../scope/scope.server.ts'
import { type Counted, figuresOf } from '../figures.ts'
import { requireSubjects } from '../filters.server.ts'
import { asOf, countColumns, REPORT_ZONE, selectFacts } from '../population.server.ts'
import type { AnalyticsFilters } from '../query.ts'
import { requireFew, SUMMED, sumsOf } from '../sums.server.ts'
import type { Trend } from './pictures.ts'

const WEEKS = 26
export type Week = Counted & { week: string }

export async function getTrend(scope: Scope, query: AnalyticsFilters): Promise<Trend> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const { rows } = await (await selectTrend(scope, query, as_of)).execute(scope.db)
  return trendOf(rows, as_of)
}

/** The last week comes first. */
export const trendOf = (weeks: readonly Week[], as_of: Date): Trend => ({
  as_of: as_of.toISOString(),
  weeks: weeks.toReversed().map(({ week, ...counts }) => ({ week, ...figuresOf(counts) })),
})

export async function selectTrend(
  scope: Scope,
  query: AnalyticsFilters,
  as_of: Date,
): Promise<RawBuilder<Week>> {
  const sums = sumsOf(scope, query, as_of) ?? (await countQuarters(scope, query, as_of))
  return sql<Week>`
    select to_char(date_trunc('week', due_from at time zone ${REPORT_ZONE}), 'YYYY-MM-DD') as week, ${SUMMED}
    from ${sums} sums group by 1 having sum(assigned) > 0 order by 1 desc limit ${WEEKS}`
}

/** By quarter of an hour first: finding the week of each of a million facts would take longer than counting them. */
async function countQuarters(
  scope: Scope,
  query: AnalyticsFilters,
  as_of: Date,
): Promise<RawBuilder<unknown>> {
  await requireFew(scope, query, as_of)
  const quarters = selectFacts(scope, query, as_of)
    .select(sql`quarter_of(f.due_at)`.as('due_from'))
    .select(countColumns(as_of, query))
    .groupBy('due_from')
  return sql`(${quarters})`
}

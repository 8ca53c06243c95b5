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

export const selectTrend = async (scope: Scope, query: AnalyticsFilters, as_of: Date) =>
  selectSums(scope, query, as_of) ?? (await selectCounts(scope, query, as_of))

const weekOf = (moment: string) =>
  sql<string>`to_char(date_trunc('week', ${sql.ref(moment)} at time zone ${REPORT_ZONE}), 'YYYY-MM-DD')`

function selectSums(scope: Scope, query: AnalyticsFilters, as_of: Date): RawBuilder<Week> | null {
  const sums = sumsOf(scope, query, as_of)
  return (
    sums &&
    sql<Week>`select ${weekOf('due_from')} as week, ${SUMMED} from ${sums} sums
      group by 1 having sum(assigned) > 0 order by 1 desc limit ${WEEKS}`
  )
}

async function selectCounts(scope: Scope, query: AnalyticsFilters, as_of: Date): Promise<RawBuilder<Week>> {
  await requireFew(scope, query, as_of)
  const weeks = selectFacts(scope, query, as_of)
    .select(weekOf('f.due_at').as('week'))
    .select(countColumns(as_of, query))
    .groupBy(sql`1`)
    .orderBy(sql`1 desc`)
    .limit(WEEKS)
  return sql<Week>`select * from (${weeks}) weeks`
}

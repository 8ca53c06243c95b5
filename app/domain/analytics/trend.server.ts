/** How it went with what was due in each week. */
import { sql } from 'kysely'
import type { Scope } from '../scope.server.ts'
import { figuresOf } from './figures.ts'
import { requireSubjects } from './filters.server.ts'
import type { Trend } from './pictures.ts'
import { asOf, countColumns, REPORT_ZONE, selectFacts } from './population.server.ts'
import type { AnalyticsFilters } from './query.ts'

const WEEKS = 26

export async function getTrend(scope: Scope, query: AnalyticsFilters): Promise<Trend> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const week = sql<string>`to_char(date_trunc('week', f.due_at at time zone ${REPORT_ZONE}), 'YYYY-MM-DD')`
  const rows = await selectFacts(scope, query, as_of)
    .select(week.as('week'))
    .select(countColumns(as_of, query))
    .groupBy(sql`1`)
    .orderBy(sql`1 desc`)
    .limit(WEEKS)
    .execute()
  return {
    as_of: as_of.toISOString(),
    weeks: rows.reverse().map(({ week, ...counts }) => ({ week, ...figuresOf(counts) })),
  }
}

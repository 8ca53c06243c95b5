import { sql } from 'kysely'
import type { Scope } from '../../scope.server.ts'
import { type Counted, figuresOf } from '../figures.ts'
import { requireSubjects } from '../filters.server.ts'
import { asOf, countColumns, REPORT_ZONE, selectFacts } from '../population.server.ts'
import type { AnalyticsFilters } from '../query.ts'
import { requireFew, SUMMED, sumsOf } from '../sums.server.ts'
import type { Trend } from './pictures.ts'

const WEEKS = 26
type Week = Counted & { week: string }

export async function getTrend(scope: Scope, query: AnalyticsFilters): Promise<Trend> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const rows = (await readSums(scope, query, as_of)) ?? (await countFacts(scope, query, as_of))
  return {
    as_of: as_of.toISOString(),
    weeks: rows.reverse().map(({ week, ...counts }) => ({ week, ...figuresOf(counts) })),
  }
}

const weekOf = (moment: string) =>
  sql<string>`to_char(date_trunc('week', ${sql.ref(moment)} at time zone ${REPORT_ZONE}), 'YYYY-MM-DD')`

async function readSums(scope: Scope, query: AnalyticsFilters, as_of: Date) {
  const sums = sumsOf(scope, query, as_of)
  if (!sums) return null
  const { rows } = await sql<Week>`
    select ${weekOf('due_from')} as week, ${SUMMED} from ${sums} sums
    group by 1 having sum(assigned) > 0 order by 1 desc limit ${WEEKS}`.execute(scope.db)
  return rows
}

async function countFacts(scope: Scope, query: AnalyticsFilters, as_of: Date): Promise<Week[]> {
  await requireFew(scope, query, as_of)
  return selectFacts(scope, query, as_of)
    .select(weekOf('f.due_at').as('week'))
    .select(countColumns(as_of, query))
    .groupBy(sql`1`)
    .orderBy(sql`1 desc`)
    .limit(WEEKS)
    .execute()
}

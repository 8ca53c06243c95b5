/** The charts of a whole report, in one statement. */
import { sql } from 'kysely'
import type { Scope } from '../../scope/scope.server.ts'
import { requireSubjects } from '../filters.server.ts'
import { asOf } from '../population.server.ts'
import { rowsAsJson } from '../rows-as-json.server.ts'
import { type Failed, failuresOf, selectFailures } from './failures.server.ts'
import type { Pictures, PicturesQuery } from './pictures.ts'
import { type Answered, selectTiming, timingOf } from './timing.server.ts'
import { selectTrend, trendOf, type Week } from './trend.server.ts'

type Row = { weeks: Week[]; answered: Answered[] | null; failed: Failed[] }

export async function getPictures(scope: Scope, { with_timing, ...query }: PicturesQuery): Promise<Pictures> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const answered = with_timing ? rowsAsJson(await selectTiming(scope, query, as_of)) : sql`null`
  const { rows } = await sql<Row>`
    select ${rowsAsJson(await selectTrend(scope, query, as_of))} as weeks, ${answered} as answered,
      ${rowsAsJson(await selectFailures(scope, query, as_of))} as failed`.execute(scope.db)
  const [row] = rows
  if (!row) throw new Error('A statement without a from has one row')
  return {
    trend: trendOf(row.weeks, as_of),
    timing: row.answered && timingOf(row.answered, as_of),
    failures: failuresOf(row.failed[0], as_of),
  }
}

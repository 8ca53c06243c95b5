/** How soon after its message a lift is answered. */
import { sql } from 'kysely'
import type { Scope } from '../scope.server.ts'
import { requireSubjects } from './filters.server.ts'
import { DAYS_TOLD, LAST_DAY, type Timing } from './pictures.ts'
import { asOf, conditionsAt, respondedAt, selectFacts } from './population.server.ts'
import type { AnalyticsFilters } from './query.ts'

type Row = { day: number | null; age: number; many: number }

export async function getTiming(scope: Scope, query: AnalyticsFilters): Promise<Timing> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const is = conditionsAt(as_of, query)
  const asked = selectFacts(scope, query, as_of)
    .where(is.asked)
    .select([
      is.accepted.as('is_sent'),
      is.responded.as('is_answered'),
      // Who found the lift before its message left answered on the first day.
      sql`floor(greatest(extract(epoch from ${respondedAt(query)} - f.accepted_at), 0) / 86400)::int`.as(
        'day',
      ),
      sql`floor(extract(epoch from ${as_of}::timestamptz - f.accepted_at) / 86400)::int`.as('age'),
    ])
  const { rows } = await sql<Row>`
    select case when is_answered then least(day, ${LAST_DAY}::int) end as day, least(age, ${LAST_DAY}::int) as age,
      count(*) as many
    from (${asked}) asked where is_sent group by 1, 2`.execute(scope.db)
  const other = await sql<{ many: number }>`
    select count(*) as many from (${asked}) asked where is_sent is not true and is_answered`.execute(scope.db)
  const sum = (which: (row: Row) => boolean) =>
    rows.reduce((total, row) => (which(row) ? total + row.many : total), 0)
  return {
    as_of: as_of.toISOString(),
    sent: sum(() => true),
    days: Array.from({ length: LAST_DAY + 1 }, (_, day) => ({
      day,
      answered: sum((row) => row.day === day),
    })),
    within: DAYS_TOLD.map((days) => ({
      days,
      rate: {
        n: sum(({ day, age }) => age >= days && day !== null && day < days),
        d: sum(({ age }) => age >= days),
      },
    })),
    unsent: other.rows[0]?.many ?? 0,
  }
}

/** How soon lifts are answered after their messages: from tallies, or counted where the tallies cannot answer. */
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../scope/scope.server.ts'
import { requireSubjects } from '../filters.server.ts'
import { asOf, conditionsAt, respondedAt, selectFacts } from '../population.server.ts'
import type { AnalyticsFilters } from '../query.ts'
import { answersOf, requireFew } from '../sums.server.ts'
import { DAYS_TOLD, LAST_DAY, type Timing } from './pictures.ts'

/** `day` is null for those who have not answered, `age` for those whose message has not left. */
export type Answered = { day: number | null; age: number | null; many: number }

export async function getTiming(scope: Scope, query: AnalyticsFilters): Promise<Timing> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const { rows } = await (await selectTiming(scope, query, as_of)).execute(scope.db)
  return timingOf(rows, as_of)
}

/** In whole quarters of an hour, like the tallies: a message is a day old when all of its quarter are. */
export async function selectTiming(scope: Scope, query: AnalyticsFilters, as_of: Date) {
  const answers = answersOf(scope, query, as_of) ?? (await countAnswers(scope, query, as_of))
  return sql<Answered>`
    select answered_after as day, sum(many)::bigint as many,
      floor(extract(epoch from ${as_of}::timestamptz - sent_from - interval '15 minutes') / 86400)::int as age
    from ${answers} answers group by 1, 3`
}

export function timingOf(rows: readonly Answered[], as_of: Date): Timing {
  const sum = (which: (row: Answered) => boolean) =>
    rows.reduce((total, row) => (which(row) ? total + row.many : total), 0)
  return {
    as_of: as_of.toISOString(),
    sent: sum(({ age }) => age !== null),
    days: Array.from({ length: LAST_DAY + 1 }, (_, day) => ({
      day,
      answered: sum((row) => row.age !== null && row.day === day),
    })),
    within: DAYS_TOLD.map((days) => ({
      days,
      rate: {
        n: sum(({ day, age }) => age !== null && age >= days && day !== null && day < days),
        d: sum(({ age }) => age !== null && age >= days),
      },
    })),
    unsent: sum(({ day, age }) => age === null && day !== null),
  }
}

/** Grouped, as the outer query finds the age of each group; `offset` lets PostgreSQL expect few groups, and not sort. */
async function countAnswers(
  scope: Scope,
  query: AnalyticsFilters,
  as_of: Date,
): Promise<RawBuilder<unknown>> {
  await requireFew(scope, query, as_of)
  const is = conditionsAt(as_of, query)
  const answers = selectFacts(scope, query, as_of)
    .where(is.asked)
    .select([
      sql`case when ${is.accepted} then quarter_of(f.accepted_at) end`.as('sent_from'),
      sql`case when ${is.responded} then days_until_answer(f.accepted_at, ${respondedAt(query)}) end`.as(
        'answered_after',
      ),
    ])
    .offset(0)
  return sql`(select sent_from, answered_after, count(*) as many from (${answers}) answers group by 1, 2)`
}

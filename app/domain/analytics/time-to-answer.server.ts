/**
 * How long answers take: among those who answered, and among all who were asked, including those without an answer.
 */
import { sql } from 'kysely'
import { may } from '#app/domain/access/permissions.ts'
import { forbidden, notFound } from '../errors.ts'
import type { Scope } from '../scope/scope.server.ts'
import { medianOf, type Observed, survival } from '../statistics/kaplan-meier.ts'
import type { TimeToAnswer, TimeToAnswerQuery } from './assessed/assessment-figures.ts'
import { asOf } from './population.server.ts'
import { inReach } from './sums.server.ts'

export async function getTimeToAnswer(scope: Scope, query: TimeToAnswerQuery): Promise<TimeToAnswer> {
  const { actor, db } = scope
  if (!may(actor, 'analytics:view')) throw forbidden()
  const { journey = null, lift = null } = query
  const as_of = await asOf(scope, query)
  if (journey !== null || lift !== null) {
    const { rows: there } = await sql`
      select from (select id as journey_id from journeys) j
      where ${inReach(scope)} and (${journey}::bigint is null or journey_id = ${journey}::bigint)
        and (${lift}::bigint is null or exists (
          select from lifts l where l.journey_id = j.journey_id and l.id = ${lift}::bigint))
      limit 1`.execute(db)
    if (there.length === 0) throw notFound()
  }
  // Grouped by minute: the number of rows does not grow with the facts.
  const { rows } = await sql<Observed>`
    with asked as (
      select case when f.accepted_at <= ${as_of} then f.accepted_at else f.due_at end as began,
        case when f.responded_at <= ${as_of} then f.responded_at end as answered,
        least(f.closes_at, ${as_of}) as until
      from fact_occurrence f
      where f.is_counted and f.asks and f.due_at <= ${as_of} and ${inReach(scope)}
        and (${journey}::bigint is null or f.journey_id = ${journey}::bigint)
        and (${lift}::bigint is null or f.lift_id = ${lift}::bigint)
    )
    select greatest(0, floor(date_part('epoch', coalesce(answered, until) - began) / 60))::int as time,
      count(answered) as happened, count(*) - count(answered) as silent
    from asked group by 1 order by 1`.execute(db)
  const answered = rows.reduce((sum, { happened }) => sum + happened, 0)
  return {
    as_of: as_of.toISOString(),
    asked: rows.reduce((sum, { happened, silent }) => sum + happened + silent, 0),
    answered,
    median: medianOf(survival(rows.map((row) => ({ ...row, silent: 0 })))),
    median_of_all: medianOf(survival(rows)),
  }
}

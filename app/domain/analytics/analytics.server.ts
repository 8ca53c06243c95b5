/** The overview: from the tallies of lifts, or counted from facts where the tallies cannot answer. */
import { type RawBuilder, sql } from 'kysely'
import { remember } from '../scope/ask-once.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { type Counted, figuresOf, type Overview } from './figures.ts'
import { countAssessmentItems, requireSubjects } from './filters.server.ts'
import { learnersOf, selectLearnersCount } from './learner-counts.server.ts'
import { asOf, countColumns, selectFacts } from './population.server.ts'
import type { AnalyticsFilters } from './query.ts'
import { requireFew, SUMMED, sumsOf } from './sums.server.ts'
import { emptinessOf } from './why-empty.server.ts'

export async function getOverview(scope: Scope, query: AnalyticsFilters): Promise<Overview> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const { journeys, lifts, learners, ...counts } = await count(scope, query, as_of)
  remember(scope, learnersOf(scope, query, as_of), learners)
  return {
    as_of: as_of.toISOString(),
    ...{ learners, journeys, lifts },
    ...figuresOf(counts),
    ...(counts.assigned > 0
      ? { why_empty: null, is_contradictory: false }
      : await emptinessOf(scope, query, as_of)),
    assessment_items: query.lo_id ? await countAssessmentItems(scope, query.lo_id) : null,
  }
}

type Row = Counted & { journeys: number; lifts: number; learners: number }

async function count(scope: Scope, query: AnalyticsFilters, as_of: Date): Promise<Row> {
  const parts = sumsOf(scope, query, as_of) ?? (await countByLift(scope, query, as_of))
  const { rows } = await sql<Row>`
    with lifts as (
      select journey_id, ${SUMMED} from ${parts} parts group by journey_id, lift_id having sum(assigned) > 0
    )
    select count(*) as lifts, count(distinct journey_id) as journeys, ${SUMMED},
      (${selectLearnersCount(scope, query, as_of)}) as learners
    from lifts`.execute(scope.db)
  const [row] = rows
  if (!row) throw new Error('A statement without a group has one row')
  return row
}

async function countByLift(scope: Scope, query: AnalyticsFilters, as_of: Date): Promise<RawBuilder<unknown>> {
  await requireFew(scope, query, as_of)
  return sql`(${selectFacts(scope, query, as_of)
    .select(['f.journey_id', 'f.lift_id'])
    .select(countColumns(as_of, query))
    .groupBy(['f.journey_id', 'f.lift_id'])})`
}

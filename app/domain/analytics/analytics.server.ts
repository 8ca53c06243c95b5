/** The overview: from the tallies of lifts, or counted from facts where the tallies cannot answer. */
import { sql } from 'kysely'
import { remember } from '../scope/ask-once.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { type Counted, figuresOf, type Overview } from './figures.ts'
import { countAssessmentItems, requireSubjects } from './filters.server.ts'
import { learnersOf, selectLearnersCount } from './learner-counts.server.ts'
import { asOf, countColumns, selectFacts } from './population.server.ts'
import type { AnalyticsFilters } from './query.ts'
import { ARE_FEW, manyOf, requireFew, SUMMED, selectMany, sumsOf } from './sums.server.ts'
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
  const sums = sumsOf(scope, query, as_of)
  const { rows } = await sql<Row & { many: number }>`
    with size as materialized (${sums ? sql`select 0 as many` : selectMany(scope, query, as_of)}), lifts as (
      select journey_id, ${SUMMED} from ${sums ?? countByLift(scope, query, as_of)} parts
      group by journey_id, lift_id having sum(assigned) > 0
    )
    select count(*) as lifts, count(distinct journey_id) as journeys, ${SUMMED},
      case when ${ARE_FEW} then (${selectLearnersCount(scope, query, as_of)}) end as learners,
      (select many from size) as many
    from lifts`.execute(scope.db)
  if (!rows[0]) throw new Error('A statement without a group has one row')
  const { many, ...row } = rows[0]
  if (!sums) {
    remember(scope, manyOf(scope, query, as_of), many)
    await requireFew(scope, query, as_of)
  }
  return row
}

const countByLift = (scope: Scope, query: AnalyticsFilters, as_of: Date) =>
  sql`(${selectFacts(scope, query, as_of)
    .where(ARE_FEW)
    .select(['f.journey_id', 'f.lift_id'])
    .select(countColumns(as_of, query))
    .groupBy(['f.journey_id', 'f.lift_id'])})`

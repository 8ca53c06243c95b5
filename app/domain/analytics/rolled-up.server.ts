/** The overview of whole journeys, from the sums of their lifts. */
import { sql } from 'kysely'
import type { Scope } from '../scope.server.ts'
import type { Counted } from './figures.ts'
import type { AnalyticsFilters } from './query.ts'
import { inReach, SUMMED, sumsOf } from './sums.server.ts'

type RolledUp = Counted & { learners: number; journeys: number; lifts: number }

/** Null where the sums do not tell: of some days they do not say how many learners these were. */
export async function countRolledUp(
  scope: Scope,
  query: AnalyticsFilters,
  as_of: Date,
): Promise<RolledUp | null> {
  const sums = query.from || query.to ? null : sumsOf(scope, query, as_of)
  if (!sums) return null
  const { rows } = await sql<Omit<RolledUp, 'learners'>>`
    with lifts as (
      select journey_id, ${SUMMED} from ${sums} sums group by journey_id, lift_id having sum(assigned) > 0
    )
    select count(*) as lifts, count(distinct journey_id) as journeys, ${SUMMED} from lifts`.execute(scope.db)
  const [counts] = rows
  return counts ? { ...counts, learners: await countLearners(scope, query, as_of) } : null
}

async function countLearners(
  scope: Scope,
  { journey, lift, lift_id }: AnalyticsFilters,
  as_of: Date,
): Promise<number> {
  const one = lift ?? lift_id
  const counted = one
    ? sql`fact_occurrence where is_counted and due_at <= ${as_of} and lift_id = ${one}::bigint
        and lift_id = ${lift_id ?? one}::bigint`
    : sql`fact_learner where first_due_at <= ${as_of}`
  const { rows } = await sql<{ learners: number }>`
    select count(distinct user_id) as learners from ${counted} and ${inReach(scope)}
      and (${journey ?? null}::bigint is null or journey_id = ${journey ?? null}::bigint)`.execute(scope.db)
  return rows[0]?.learners ?? 0
}

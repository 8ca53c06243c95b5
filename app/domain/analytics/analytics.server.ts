/** The overview and the report by learner. Like that by lift they read facts, so that each sums up to the others. */
import { sql } from 'kysely'
import { paginate } from '../page.ts'
import type { Scope } from '../scope.server.ts'
import { nameOfLearner } from '../users/learner-name.server.ts'
import { type ByUser, figuresOf, type Overview } from './figures.ts'
import { countAssessmentItems, requireSubjects } from './filters.server.ts'
import { asOf, countColumns, selectFacts } from './population.server.ts'
import type { AnalyticsFilters, AnalyticsQuery } from './query.ts'
import { countRolledUp } from './rolled-up.server.ts'
import { ACTIVITY, inReportOrder, nameContains } from './table-order.server.ts'
import { whyEmpty } from './why-empty.server.ts'

export async function getOverview(scope: Scope, query: AnalyticsFilters): Promise<Overview> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const row = (await countRolledUp(scope, query, as_of)) ?? (await countAll(scope, query, as_of))
  const { learners, journeys, lifts, ...counts } = row
  return {
    as_of: as_of.toISOString(),
    ...{ learners, journeys, lifts },
    ...figuresOf(counts),
    why_empty: counts.assigned > 0 ? null : await whyEmpty(scope, query, as_of),
    assessment_items: query.lo_id ? await countAssessmentItems(scope, query.lo_id) : null,
  }
}

const countAll = (scope: Scope, query: AnalyticsFilters, as_of: Date) =>
  selectFacts(scope, query, as_of)
    .select(countColumns(as_of, query))
    .select([
      sql<number>`count(distinct f.user_id)`.as('learners'),
      sql<number>`count(distinct f.journey_id)`.as('journeys'),
      sql<number>`count(distinct f.lift_id)`.as('lifts'),
    ])
    .executeTakeFirstOrThrow()

export async function getByUser(scope: Scope, query: AnalyticsQuery): Promise<ByUser> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  let facts = selectFacts(scope, query, as_of).leftJoin('users as u', 'u.id', 'f.user_id')
  if (query.q) facts = facts.where(nameContains(query.q))
  const { total } = await facts
    .select(sql<number>`count(distinct f.user_id)`.as('total'))
    .executeTakeFirstOrThrow()
  const rows = await facts
    .select(['f.user_id', nameOfLearner.as('name'), ACTIVITY.as('last_activity')])
    .select(countColumns(as_of, query))
    .groupBy(['f.user_id', 'u.id', 'u.first_name', 'u.last_name'])
    .orderBy(inReportOrder(query, as_of, sql`lower(u.last_name), lower(u.first_name)`))
    .orderBy('f.user_id')
    .limit(query.per_page)
    .offset((query.page - 1) * query.per_page)
    .execute()
  return {
    as_of: as_of.toISOString(),
    data: rows.map(({ user_id, name, last_activity, ...counts }) => ({
      ...{ user_id, name },
      last_activity: last_activity?.toISOString() ?? null,
      ...figuresOf(counts),
    })),
    pagination: paginate(total, query),
  }
}

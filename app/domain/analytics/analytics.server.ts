/** The three reports. They read facts alone, so that each sums up to the others. */
import { sql } from 'kysely'
import { paginate } from '../page.ts'
import type { Scope } from '../scope.server.ts'
import { nameOfLearner } from '../users/learner-name.server.ts'
import { type ByLift, type ByUser, figuresOf, type Overview } from './figures.ts'
import { countAssessmentItems, requireSubjects } from './filters.server.ts'
import { asOf, countColumns, selectFacts } from './population.server.ts'
import { listPromptFigures } from './prompt-figures.server.ts'
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

export async function getByLift(scope: Scope, query: AnalyticsQuery): Promise<ByLift> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const facts = selectFacts(scope, query, as_of)
  const { total } = await facts
    .select(sql<number>`count(distinct f.lift_id)`.as('total'))
    .executeTakeFirstOrThrow()
  const rows = await facts
    .innerJoin('lifts as l', 'l.id', 'f.lift_id')
    .innerJoin('journeys as j', 'j.id', 'f.journey_id')
    .select(['f.lift_id', 'l.title', 'l.position', 'f.journey_id', 'j.name as journey'])
    .select(countColumns(as_of, query))
    .groupBy(['f.lift_id', 'l.title', 'l.position', 'f.journey_id', 'j.name'])
    .orderBy(inReportOrder(query, as_of, sql`j.name, f.journey_id, l.position`))
    .orderBy('f.lift_id')
    .limit(query.per_page)
    .offset((query.page - 1) * query.per_page)
    .execute()
  const lift = query.lift ?? query.lift_id
  return {
    as_of: as_of.toISOString(),
    data: rows.map(({ lift_id, title, position: _position, journey_id, journey, ...counts }) => ({
      lift_id,
      title,
      journey_id,
      journey,
      ...figuresOf(counts),
    })),
    pagination: paginate(total, query),
    prompts: lift ? await listPromptFigures(scope, query, lift, as_of) : [],
  }
}

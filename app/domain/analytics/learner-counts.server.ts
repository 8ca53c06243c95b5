/** How many learners a report is about. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { maySeeAllJourneys } from '../access/journeys.ts'
import { askOnce } from '../scope/ask-once.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { MAX_COUNT } from '../search.server.ts'
import { OWES, TAKES_ANSWERS } from './behind.server.ts'
import { type Narrow, type People, selectLearners } from './learners.server.ts'
import { conditionsAt, isNow, selectFacts } from './population.server.ts'
import { AnalyticsFilters } from './query.ts'
import { inReach, sumsOf } from './sums.server.ts'

/** Counts up to one more than `cap`, which tells that there are more. */
export async function countLearners(
  scope: Scope,
  query: AnalyticsFilters,
  as_of: Date,
  narrow?: Narrow,
  cap = Number.POSITIVE_INFINITY,
): Promise<number> {
  const known = narrow ? null : summed(scope, query, as_of)
  if (known) return ask(scope, known)
  if (!Number.isFinite(cap)) return ask(scope, countEach(scope, query, as_of, narrow))
  return ask(scope, countSome(selectLearners(scope, query, as_of, narrow), cap))
}

/** Too many learners to sort quickly. Never inside a sub-tenant, where some learners are missing in the list of people. */
export async function isCrowd(scope: Scope, query: AnalyticsFilters, as_of: Date): Promise<boolean> {
  if (scope.actor.sub_tenant_id !== null) return false
  const learners = await askOnce(scope, learnersOf(scope, query, as_of), () =>
    ask(scope, selectUpToCrowd(scope, query, as_of)),
  )
  return learners > MAX_COUNT
}

/** As many as it takes to tell, as an expression. */
export const selectUpToCrowd = (scope: Scope, query: AnalyticsFilters, as_of: Date): RawBuilder<Count> =>
  summed(scope, query, as_of) ?? countSome(selectLearners(scope, query, as_of), MAX_COUNT)

/** The key under which `askOnce` keeps the number of learners. */
export const learnersOf = ({ actor }: Scope, query: AnalyticsFilters, as_of: Date) => [
  'learners',
  maySeeAllJourneys(actor),
  { ...AnalyticsFilters.parse(query), as_of },
]

/** As an expression, to be part of a statement with other figures. */
export const selectLearnersCount = (scope: Scope, query: AnalyticsFilters, as_of: Date): RawBuilder<Count> =>
  summed(scope, query, as_of) ?? countEach(scope, query, as_of)

/** The learners of a journey who have not completed everything that was due, likewise. */
export function selectUncompletedCount(scope: Scope, query: OfJourney, as_of: Date): RawBuilder<Count> {
  const { completed } = conditionsAt(as_of, query)
  const counted = sql<Count>`${selectFacts(scope, query, as_of)
    .where(sql<SqlBool>`(${completed}) is not true`)
    .select(sql<number>`count(distinct f.member_id)`.as('learners'))}`
  const isToldByIndex = isSummed(scope, query) && maySeeAllJourneys(scope.actor) && isNow(scope, as_of)
  return isToldByIndex ? byIndex(query.journey, as_of, counted) : counted
}

/** Counts learners who are behind, up to one more than `cap`; of each journey no more rows are read. */
export function countOwing(scope: Scope, query: AnalyticsFilters, as_of: Date, cap: number): Promise<number> {
  const owing = selectLearners(scope, query, as_of)
    .where(OWES)
    .where(sql<SqlBool>`p.journey_id = j.id`)
    .select('p.user_id')
  const most = Number.isFinite(cap) ? cap + 1 : null
  return ask(
    scope,
    sql<Count>`select least(count(distinct late.user_id), ${most}::bigint) as learners
      from journeys j cross join lateral (${owing} limit ${most}::bigint) late where ${TAKES_ANSWERS}`,
  )
}

type Count = { learners: number }

async function ask({ db }: Scope, counted: RawBuilder<Count>): Promise<number> {
  const { rows } = await counted.execute(db)
  if (!rows[0]) throw new Error('A statement without a group has one row')
  return rows[0].learners
}

const countEach = (scope: Scope, query: AnalyticsFilters, as_of: Date, narrow?: Narrow) =>
  selectCount(selectLearners(scope, query, as_of, narrow), query)

const countSome = (people: People, cap: number) =>
  sql<Count>`select count(*) as learners from (${people
    .select('p.user_id')
    .groupBy('p.user_id')
    .orderBy('p.user_id')
    .limit(cap + 1)}) counted`

/** Within one journey rows equal learners: nobody is a learner there twice. */
const selectCount = (people: People, { journey }: AnalyticsFilters) =>
  sql<Count>`${people.select(
    (journey ? sql<number>`count(*)` : sql<number>`count(distinct p.user_id)`).as('learners'),
  )}`

type OfJourney = AnalyticsFilters & { journey: number }

/** Known from sums: of a journey, of a whole tenant, or of a lift, which each of its learners gets once. */
function summed(scope: Scope, query: AnalyticsFilters, as_of: Date): RawBuilder<Count> | null {
  if (query.lift !== undefined || query.lift_id !== undefined) {
    const sums = sumsOf(scope, AnalyticsFilters.parse(query), as_of)
    return sums && sql<Count>`select coalesce(sum(assigned), 0)::bigint as learners from ${sums} sums`
  }
  if (!isSummed(scope, query)) return null
  return query.journey === undefined
    ? sumOfTenant(as_of, countEach(scope, query, as_of))
    : sumOfJourney(scope, query.journey, as_of)
}

function isSummed({ actor }: Scope, query: AnalyticsFilters): boolean {
  const { journey, as_of: _, ...others } = AnalyticsFilters.parse(query)
  if (Object.values(others).some((value) => value !== undefined)) return false
  return journey !== undefined || (actor.sub_tenant_id === null && maySeeAllJourneys(actor))
}

/** Who begins later in the quarter of an hour that is under way is in its sum already. */
const toCome = (as_of: Date) =>
  sql<SqlBool>`first_due_at > ${as_of} and first_due_at < quarter_of(${as_of}::timestamptz) + interval '15 minutes'`

const sumOfJourney = (scope: Scope, journey: number, as_of: Date) =>
  sql<Count>`select coalesce(sum(many), 0)::bigint - (select count(*) from fact_learner
      where journey_id = ${journey} and ${toCome(as_of)} and ${inReach(scope)}) as learners
    from learner_tallies where journey_id = ${journey} and begun_from <= ${as_of} and ${inReach(scope)}`

/** More people whose first lift has just changed are not looked up one by one. */
const MAX_CHANGED = 2000

const sumOfTenant = (as_of: Date, counted: RawBuilder<Count>) =>
  sql<Count>`select case when (select count(*) from (select from fact_user_changes limit ${MAX_CHANGED + 1}) c) > ${MAX_CHANGED}
      then (${counted}) else (select coalesce(sum(many), 0)::bigint from learner_tallies
        where journey_id is null and begun_from <= ${as_of})
      - (select count(*) from fact_user where ${toCome(as_of)})
      + (select coalesce(sum(
          exists (select from fact_learner p where p.user_id = c.user_id and p.first_due_at <= ${as_of} offset 0)::int
          - exists (select from fact_user p where p.user_id = c.user_id and p.first_due_at <= ${as_of} offset 0)::int), 0)
        from (select distinct user_id from fact_user_changes) c) end as learners`

/** Uses the index of the whole tenant; \`counted\` is the fallback where the actor does not see all of it. */
const byIndex = (journey: number, as_of: Date, counted: RawBuilder<Count>) =>
  sql<Count>`select coalesce(count_learners(${journey}, ${as_of}, true), (${counted})) as learners`

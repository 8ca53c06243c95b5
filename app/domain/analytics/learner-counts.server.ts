/** How many learners a report is about. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { maySeeAllJourneys } from '../access/journeys.ts'
import { askOnce } from '../scope/ask-once.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { MAX_COUNT } from '../search.server.ts'
import { OWES, TAKES_ANSWERS } from './behind.server.ts'
import { type Narrow, type People, selectLearners } from './learners.server.ts'
import { conditionsAt, isNow } from './population.server.ts'
import { AnalyticsFilters } from './query.ts'

/** Counts up to one more than `cap`, which tells that there are more. */
export async function countLearners(
  scope: Scope,
  query: AnalyticsFilters,
  as_of: Date,
  narrow?: Narrow,
  cap = Number.POSITIVE_INFINITY,
): Promise<number> {
  if (!Number.isFinite(cap))
    return ask(
      scope,
      narrow ? countEach(scope, query, as_of, narrow) : selectLearnersCount(scope, query, as_of),
    )
  return ask(scope, countSome(selectLearners(scope, query, as_of, narrow), cap))
}

/** Too many learners to sort quickly. Never inside a sub-tenant, where some learners are missing in the list of people. */
export async function isCrowd(scope: Scope, query: AnalyticsFilters, as_of: Date): Promise<boolean> {
  if (scope.actor.sub_tenant_id !== null) return false
  const learners = await askOnce(scope, learnersOf(scope, query, as_of), () =>
    countLearners(scope, query, as_of, undefined, MAX_COUNT),
  )
  return learners > MAX_COUNT
}

/** The key under which `askOnce` keeps the number of learners. */
export const learnersOf = ({ actor }: Scope, query: AnalyticsFilters, as_of: Date) => [
  'learners',
  maySeeAllJourneys(actor),
  { ...AnalyticsFilters.parse(query), as_of },
]

/** As an expression, to be part of a statement with other figures. */
export function selectLearnersCount(scope: Scope, query: AnalyticsFilters, as_of: Date): RawBuilder<Count> {
  const counted = countEach(scope, query, as_of)
  return isOfWholeJourney(scope, query) ? byIndex(query.journey, as_of, false, counted) : counted
}

/** The learners of a journey who have not completed everything that was due. */
export function countUncompleted(scope: Scope, query: OfJourney, as_of: Date): Promise<number> {
  const { completed } = conditionsAt(as_of, query)
  const counted = countEach(scope, query, as_of, (facts) =>
    facts.where(sql<SqlBool>`(${completed}) is not true`),
  )
  const isToldByIndex = isOfWholeJourney(scope, query) && isNow(scope, as_of)
  return ask(scope, isToldByIndex ? byIndex(query.journey, as_of, true, counted) : counted)
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

function isOfWholeJourney({ actor }: Scope, query: AnalyticsFilters): query is OfJourney {
  const { journey, as_of: _, ...others } = AnalyticsFilters.parse(query)
  const isWhole = Object.values(others).every((value) => value === undefined)
  return journey !== undefined && isWhole && maySeeAllJourneys(actor)
}

/** Uses the index of the whole tenant; `counted` is the fallback where the actor does not see all of it. */
const byIndex = (journey: number, as_of: Date, uncompleted: boolean, counted: RawBuilder<Count>) =>
  sql<Count>`select coalesce(count_learners(${journey}, ${as_of}, ${uncompleted}), (${counted})) as learners`

/** The learners that facts belong to, found one by one: a distinct over millions of facts would take long. */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#app/db/schema.ts'
import { maySeeAllJourneys } from '../access/journeys.ts'
import type { Scope } from '../scope/scope.server.ts'
import { selectFacts, startOf } from './population.server.ts'
import type { AnalyticsFilters } from './query.ts'

type Facts = ReturnType<typeof selectFacts>

export type Narrow = (facts: Facts) => Facts

/** `p` is a learner in a journey who has at least one fact that matches the filters and `narrow`. */
export function selectLearners(scope: Scope, query: AnalyticsFilters, as_of: Date, narrow?: Narrow) {
  const { actor, db } = scope
  let people = db.selectFrom('fact_learner as p').where('p.first_due_at', '<=', as_of)
  if (!maySeeAllJourneys(actor))
    people = people.where('p.journey_id', 'in', (eb) =>
      eb.selectFrom('journeys as own').select('own.id').where('own.author_id', '=', actor.user_id),
    )
  if (query.journey) people = people.where('p.journey_id', '=', query.journey)
  if (query.user) people = people.where('p.user_id', '=', query.user)
  if (!narrow && !isWithinLifts(query)) return wereDue(people, scope, query, as_of)
  // Not filtered by journey here as well: a plan made before the launch was analyzed would read all of its facts per
  // learner.
  const facts = selectFacts(scope, { ...query, journey: undefined }, as_of)
  const theirs = (narrow ? narrow(facts) : facts)
    .where(sql<SqlBool>`f.tenant_id = p.tenant_id and f.member_id = p.member_id`)
    .select(sql`1`.as('one'))
  // The offset keeps this a subquery per learner, which stops at the first matching fact.
  return people.where(({ exists }) => exists(isOfOneLift(query) ? theirs : theirs.offset(0)))
}

const isOfOneLift = ({ lift, lift_id, prompt_id }: AnalyticsFilters): boolean =>
  [lift, lift_id, prompt_id].some((value) => value !== undefined)
const isWithinLifts = ({ lift, lift_id, prompt_id, lo_id }: AnalyticsFilters): boolean =>
  [lift, lift_id, prompt_id, lo_id].some((value) => value !== undefined)

export type People = SelectQueryBuilder<DB & { p: DB['fact_learner'] }, 'p', object>

/**
 * Whether something was due within the dates: known from a learner's first and last due dates or their longest gap.
 * Facts are read for the remaining learners only.
 */
function wereDue(people: People, scope: Scope, { from, to }: AnalyticsFilters, as_of: Date): People {
  if (!from && !to) return people
  const start = from ? startOf(sql`${from}::date`) : sql<Date>`'-infinity'::timestamptz`
  const end = to ? startOf(sql`${to}::date + 1`) : sql<Date>`'infinity'::timestamptz`
  const within = people
    .where('p.first_due_at', '<', sql<Date>`(select ${end})`)
    .where('p.last_due_at', '>=', sql<Date>`(select ${start})`)
  if (!from) return within
  const theirs = selectFacts(scope, { from, to }, as_of)
    .where(sql<SqlBool>`f.tenant_id = p.tenant_id and f.member_id = p.member_id`)
    .select(sql`1`.as('one'))
    .offset(0)
  return within.where(({ eb, exists }) =>
    eb.or([
      eb('p.first_due_at', '>=', sql<Date>`(select ${start})`),
      sql<SqlBool>`p.last_due_at <= ${as_of} and p.last_due_at < (select ${end})`,
      sql<SqlBool>`p.longest_gap < (select extract(epoch from least(${as_of}::timestamptz, ${end}) - ${start}))`,
      exists(theirs),
    ]),
  )
}

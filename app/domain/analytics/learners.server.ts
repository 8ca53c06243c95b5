/** Which learners facts are of: found one by one, where telling them apart in millions of facts takes long. */
import { type SqlBool, sql } from 'kysely'
import { maySeeAllJourneys } from '../access/journeys.ts'
import type { Scope } from '../scope.server.ts'
import { selectFacts } from './population.server.ts'
import type { AnalyticsFilters } from './query.ts'

type Facts = ReturnType<typeof selectFacts>

/** `p` is a learner in a journey, with at least one of the `facts`: by default all that match the filters. */
export function selectLearners(scope: Scope, query: AnalyticsFilters, as_of: Date, facts?: Facts) {
  const { actor, db } = scope
  let people = db.selectFrom('fact_learner as p').where('p.first_due_at', '<=', as_of)
  if (!maySeeAllJourneys(actor))
    people = people.where('p.journey_id', 'in', (eb) =>
      eb.selectFrom('journeys as own').select('own.id').where('own.author_id', '=', actor.user_id),
    )
  if (query.journey) people = people.where('p.journey_id', '=', query.journey)
  if (query.user) people = people.where('p.user_id', '=', query.user)
  if (!facts && !isWithinJourney(query)) return people
  const theirs = (facts ?? selectFacts(scope, query, as_of))
    .where(sql<SqlBool>`f.tenant_id = p.tenant_id and f.member_id = p.member_id`)
    .select(sql`1`.as('one'))
  // An offset keeps it a question about each learner, of whose facts the first that matches will do.
  return people.where(({ exists }) => exists(isOfOneLift(query) ? theirs : theirs.offset(0)))
}

const isOfOneLift = ({ lift, lift_id, prompt_id }: AnalyticsFilters): boolean =>
  [lift, lift_id, prompt_id].some((value) => value !== undefined)
const isWithinJourney = ({ lift, lift_id, prompt_id, lo_id, from, to }: AnalyticsFilters): boolean =>
  [lift, lift_id, prompt_id, lo_id, from, to].some((value) => value !== undefined)

export async function countLearners(
  scope: Scope,
  query: AnalyticsFilters,
  as_of: Date,
  facts?: Facts,
): Promise<number> {
  const { learners } = await selectLearners(scope, query, as_of, facts)
    .select(sql<number>`count(distinct p.user_id)`.as('learners'))
    .executeTakeFirstOrThrow()
  return learners
}

/** Sponsors may read about their own learners what these were told, and nothing about others. */
import { sql } from 'kysely'
import { plannedOnce } from '#app/db/plans/named.server.ts'
import { rowById } from '#app/db/row-by-id.server.ts'
import { notFound } from '../errors.ts'
import { commitmentsOf, selectCommitments, toCommitment } from '../lifts/commitments.server.ts'
import { IS_OVERDUE } from '../occurrences/overdue.server.ts'
import { offsetOf, paginate } from '../page.ts'
import { readAnsweredLifts } from '../responses/answered-lifts.server.ts'
import { asParticipant, type Scope } from '../scope/scope.server.ts'
import { type Learner, readLearners, selectLearners } from './learners.server.ts'
import {
  type LearnerForSponsor,
  type SponsoredJourneys,
  SponsoredLearner,
  type SponsoredQuery,
  type SponsorsJourney,
} from './sponsored.ts'

const MAX_JOURNEYS = 100

const readJourneys = plannedOnce((db) =>
  selectLearners(db)
    .select(['j.id', 'j.name', 'j.status'])
    .select([
      sql<number>`count(*)::int`.as('learners'),
      sql<number>`sum((select count(*) from occurrences o cross join lateral ${rowById('lifts', 'o.lift_id')} l
          where o.member_id = m.id and ${IS_OVERDUE}))::int`.as('overdue'),
      sql<number>`sum((select count(*) from commitments c where c.member_id = m.id
          and c.state <> 'dropped' and c.acknowledged_at is null))::int`.as('to_acknowledge'),
    ])
    .where('j.status', '!=', sql.lit('archived'))
    .groupBy(['j.tenant_id', 'j.id', 'j.name', 'j.status'])
    .orderBy('j.name')
    .orderBy('j.id')
    .limit(sql.lit(MAX_JOURNEYS)),
)

export const listSponsoredJourneys = (scope: Scope): Promise<SponsoredJourneys> =>
  asParticipant(scope, async ({ db }) => ({ data: await readJourneys(db) }))

export const getSponsorsJourney = (
  scope: Scope,
  journey: SponsorsJourney['journey'],
  query: SponsoredQuery,
): Promise<SponsorsJourney> =>
  asParticipant(scope, async (own) => {
    const all = await readLearners(own, journey.id)
    const words = query.q.toLowerCase()
    const found = all.filter(({ name }) => name.toLowerCase().includes(words))
    const from = offsetOf(query)
    return {
      journey,
      data: found.slice(from, from + query.per_page).map(shown),
      pagination: paginate(found.length, query),
    }
  })

export const getLearnerForSponsor = (
  scope: Scope,
  { journey, memberId, learner }: FoundLearner,
  query: SponsoredQuery,
): Promise<LearnerForSponsor> =>
  asParticipant(scope, async (own) => {
    const commitments = await selectCommitments(own, commitmentsOf(memberId)).execute()
    return {
      ...{ journey, learner, commitments: commitments.map(toCommitment) },
      ...(await readAnsweredLifts(own, memberId, query, { scorer: 'sponsor', withAnswers: true })),
    }
  })

/** The same 404 for a learner who does not exist, is not theirs, or is no longer theirs. */
export async function findLearner(own: Scope, journeyId: number, userId: number) {
  const [learner] = await readLearners(own, journeyId, userId)
  if (!learner) throw notFound()
  const { journey } = learner
  return { journey, memberId: learner.memberId, sponsorId: learner.sponsorId, learner: shown(learner) }
}

type FoundLearner = Awaited<ReturnType<typeof findLearner>>

export async function requireSponsored(own: Scope, id: number) {
  const journey = await selectLearners(own.db)
    .select(['j.id', 'j.name', 'j.status'])
    .where('j.id', '=', id)
    .executeTakeFirst()
  if (!journey) throw notFound()
  return journey
}

const shown = (learner: Learner): SponsoredLearner => SponsoredLearner.parse(learner)

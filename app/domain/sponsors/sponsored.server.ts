/** Sponsors read of their own learners what these were told they would, and nothing of anybody else. */
import { sql } from 'kysely'
import { notFound } from '../errors.ts'
import { selectCommitments, toCommitment } from '../lifts/commitments.server.ts'
import { HAS_COME, IS_OVERDUE } from '../occurrences/overdue.server.ts'
import { ownToday } from '../own-clock.server.ts'
import { paginate } from '../page.ts'
import { readAnsweredLifts } from '../responses/answered-lifts.server.ts'
import { asParticipant, type Scope, tenantWide } from '../scope.server.ts'
import {
  type LearnerForSponsor,
  type SponsoredJourneys,
  SponsoredLearner,
  type SponsoredQuery,
  type SponsorsJourney,
} from './sponsored.ts'

const SHOWN = ['scheduled', 'active', 'paused', 'completed', 'archived']
const MOST_JOURNEYS = 100

/** The learners of the one who is signed in, of one journey or of all. */
const selectLearners = ({ actor, db }: Scope) =>
  db
    .selectFrom('members as m')
    .innerJoin('members as own', 'own.id', 'm.sponsor_id')
    .innerJoin('journeys as j', 'j.id', 'm.journey_id')
    .where('own.user_id', '=', actor.user_id ?? 0)
    .where('own.state', '!=', 'withdrawn')
    .where('m.role', '=', 'learner')
    .where('m.state', '!=', 'withdrawn')
    .where('j.status', 'in', SHOWN)

export const listSponsoredJourneys = (scope: Scope): Promise<SponsoredJourneys> =>
  asParticipant(scope, async (own) => {
    const rows = await selectLearners(own)
      .select(['j.id', 'j.name', 'j.status'])
      .select([
        sql<number>`count(*)::int`.as('learners'),
        sql<number>`sum((select count(*) from occurrences o join lifts l on l.id = o.lift_id
          where o.member_id = m.id and ${IS_OVERDUE}))::int`.as('overdue'),
        sql<number>`sum((select count(*) from commitments c where c.member_id = m.id
          and c.state <> 'dropped' and c.acknowledged_at is null))::int`.as('to_acknowledge'),
      ])
      .where('j.status', '!=', 'archived')
      .groupBy(['j.tenant_id', 'j.id', 'j.name', 'j.status'])
      .orderBy('j.name')
      .orderBy('j.id')
      .limit(MOST_JOURNEYS)
      .execute()
    return { data: rows }
  })

export const getSponsorsJourney = (
  scope: Scope,
  id: number,
  query: SponsoredQuery,
): Promise<SponsorsJourney> =>
  asParticipant(scope, async (own) => {
    const journey = await requireSponsored(own, id)
    const all = await readLearners(own, id)
    const words = query.q.toLowerCase()
    const found = all.filter(({ name }) => name.toLowerCase().includes(words))
    const from = (query.page - 1) * query.per_page
    return {
      journey,
      data: found.slice(from, from + query.per_page).map(shown),
      pagination: paginate(found.length, query),
    }
  })

export const getLearnerForSponsor = (
  scope: Scope,
  id: number,
  userId: number,
  query: SponsoredQuery,
): Promise<LearnerForSponsor> =>
  asParticipant(scope, async (own) => {
    const { journey, memberId, learner } = await findLearner(own, id, userId)
    const commitments = await selectCommitments(own).where('c.member_id', '=', memberId).execute()
    return {
      ...{ journey, learner, commitments: commitments.map(toCommitment) },
      ...(await readAnsweredLifts(own, memberId, query, { scorer: 'sponsor', withAnswers: true })),
    }
  })

/** The same 404 for what is not there, not theirs, or theirs no more. */
export async function findLearner(own: Scope, journeyId: number, userId: number) {
  const journey = await requireSponsored(own, journeyId)
  const [learner] = await readLearners(own, journeyId, userId)
  if (!learner) throw notFound()
  return { journey, memberId: learner.memberId, sponsorId: learner.sponsorId, learner: shown(learner) }
}

export async function requireSponsored(own: Scope, id: number) {
  const journey = await selectLearners(own)
    .select(['j.id', 'j.name', 'j.status'])
    .where('j.id', '=', id)
    .executeTakeFirst()
  if (!journey) throw notFound()
  return journey
}

export type Learner = SponsoredLearner & {
  memberId: number
  sponsorId: number
  journey: { id: number; name: string; status: string }
  /** Lifts that came and are not done, and when the first came. */
  waiting: number
  first_came: string | null
  encouraged_at: string | null
}

/** Nobody has so many learners that they would not all be read at once. */
export async function readLearners(own: Scope, journeyId?: number, userId?: number): Promise<Learner[]> {
  const today = await ownToday(own)
  const rows = await selectLearners(own)
    .select(['m.id', 'm.user_id', 'own.id as sponsor_id'])
    .select(['j.id as journey_id', 'j.name as journey_name', 'j.status'])
    .select([
      sql<number>`(select count(*) from occurrences o where o.member_id = m.id and ${HAS_COME}
        and o.state not in ('completed', 'expired'))::int`.as('waiting'),
      sql<Date | null>`(select min(o.due_at) from occurrences o where o.member_id = m.id and ${HAS_COME})`.as(
        'first_came',
      ),
      sql<number>`(select count(*) from commitments c
        join occurrences o on o.member_id = c.member_id and o.lift_id = c.lift_id
        where c.member_id = m.id and c.state = 'open'
        and c.by_on <= (scope_now() at time zone o.zone)::date)::int`.as('late_commitments'),
      sql<number>`(select count(*) from commitments c where c.member_id = m.id and c.state <> 'dropped'
        and c.acknowledged_at is null)::int`.as('to_acknowledge'),
      sql<number>`(select count(*) from responses r where r.member_id = m.id and r.is_current
        and r.visibility = 'sponsor' and r.scored_at is null
        and (select scoring from prompt_scoring(r.prompt_id)) = 'sponsor')::int`.as('to_score'),
      sql<Date | null>`(select max(e.created_on) from encouragements e where e.member_id = m.id
        and e.sponsor_id = own.id)`.as('encouraged_at'),
    ])
    .select([
      sql<number>`(select count(*) from occurrences o where o.member_id = m.id and o.state = 'completed')::int`.as(
        'completed',
      ),
      sql<number>`(select count(*) from occurrences o where o.member_id = m.id and ${HAS_COME})::int`.as(
        'come',
      ),
      sql<number>`(select count(*) from occurrences o join lifts l on l.id = o.lift_id
        where o.member_id = m.id and ${IS_OVERDUE})::int`.as('overdue'),
      sql<Date | null>`(select max(greatest(o.opened_at, o.first_response_at, o.completed_at))
        from occurrences o where o.member_id = m.id)`.as('last_activity'),
      sql<number>`(select count(*) from commitments c where c.member_id = m.id and c.state = 'open')::int`.as(
        'open_commitments',
      ),
      sql<boolean>`exists (select from encouragements e where e.member_id = m.id and e.sponsor_id = own.id
        and e.said_on = ${today}::date)`.as('encouraged_today'),
    ])
    .$if(journeyId !== undefined, (query) => query.where('m.journey_id', '=', journeyId ?? 0))
    .$if(userId !== undefined, (query) => query.where('m.user_id', '=', userId ?? 0))
    .execute()
  if (rows.length === 0) return []
  const names = await readNames(
    own,
    rows.map((row) => row.user_id),
  )
  return rows
    .map(({ id: memberId, sponsor_id: sponsorId, journey_id, journey_name, status, ...row }) => ({
      ...{ ...row, memberId, sponsorId, name: names.get(row.user_id) ?? '' },
      journey: { id: journey_id, name: journey_name, status },
      first_came: row.first_came?.toISOString() ?? null,
      encouraged_at: row.encouraged_at?.toISOString() ?? null,
      last_activity: row.last_activity?.toISOString() ?? null,
    }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en') || one.user_id - other.user_id)
}

/** Their journeys, as `listSponsoredJourneys` has them. */
export function tilesOf(learners: readonly Learner[]): SponsoredJourneys['data'] {
  const tiles = new Map<number, SponsoredJourneys['data'][number]>()
  for (const { journey, overdue, to_acknowledge } of learners) {
    if (journey.status === 'archived') continue
    const { learners, ...before } = tiles.get(journey.id) ?? { learners: 0, overdue: 0, to_acknowledge: 0 }
    tiles.set(journey.id, {
      ...journey,
      learners: learners + 1,
      overdue: before.overdue + overdue,
      to_acknowledge: before.to_acknowledge + to_acknowledge,
    })
  }
  return [...tiles.values()].sort(
    (one, other) => one.name.localeCompare(other.name, 'en') || one.id - other.id,
  )
}

const shown = (learner: Learner): SponsoredLearner => SponsoredLearner.parse(learner)

/** Also of learners in another sub-tenant. */
async function readNames(own: Scope, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await tenantWide(own, ({ db }) =>
    db
      .selectFrom('users')
      .select(['id', sql<string>`trim(first_name || ' ' || last_name)`.as('name')])
      .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
      .execute(),
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Reads one journey of the signed-in learner. */
import { sql } from 'kysely'
import { nameOrEmailOf } from '#app/domain/text/full-name.server.ts'
import { wasAskedAbout } from '../assessments/asked-about.server.ts'
import { notFound } from '../errors.ts'
import { readSponsor } from '../lifts/read-sponsor.server.ts'
import { AWAITED, inVain } from '../occurrences/waits-in-vain.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { asParticipant, type Scope } from '../scope/scope.server.ts'
import { LearnerJourneyPage, type LearnerLift } from './learner-journey.ts'

export const getLearnerJourney = (scope: Scope, id: number): Promise<LearnerJourneyPage> =>
  asParticipant(scope, (own) => readJourney(own, id))

async function readJourney(scope: Scope, id: number): Promise<LearnerJourneyPage> {
  const { actor, db } = scope
  const journey = await db
    .selectFrom('members as m')
    .innerJoin('journeys as j', 'j.id', 'm.journey_id')
    .leftJoin('members as sm', 'sm.id', 'm.sponsor_id')
    .leftJoin('users as su', 'su.id', 'sm.user_id')
    .select(['j.id', 'j.name', 'j.description', 'j.status', 'j.answers_until', 'm.id as member_id'])
    .select(['m.sponsor_id', nameOrEmailOf('su').as('sponsor')])
    .where('j.id', '=', id)
    .where('m.user_id', '=', actor.user_id ?? 0)
    .where('m.role', '=', 'learner')
    .where('m.state', '!=', 'withdrawn')
    .where('j.status', '!=', 'draft')
    .executeTakeFirst()
  if (!journey) throw notFound()
  const occurrences = await db
    .selectFrom('occurrences as o')
    .innerJoin('lifts as l', 'l.id', 'o.lift_id')
    .select(['l.id', 'l.title', 'l.est_minutes', 'l.required', 'o.state', 'o.due_at'])
    .select(sql<Date | null>`least(o.closes_at, ${journey.answers_until}::timestamptz)`.as('closes_at'))
    .select(['o.completed_at', 'o.opened_at', 'o.lift_id', AWAITED.as('awaited')])
    .where('o.member_id', '=', journey.member_id)
    .where('o.state', '!=', 'cancelled')
    .orderBy('o.due_at', (order) => order.asc().nullsLast())
    .orderBy('l.position')
    .execute()
  const now = nowIn({ db })
  const never = inVain(occurrences, now)
  const lifts = occurrences.map(
    ({
      opened_at,
      state,
      lift_id,
      awaited: _awaited,
      due_at,
      closes_at,
      completed_at,
      ...lift
    }): LearnerLift => ({
      ...lift,
      state: never.has(lift_id) ? 'closed' : stateOf({ state, due_at, closes_at }, now),
      is_started: opened_at !== null,
      due_at: due_at?.toISOString() ?? null,
      closes_at: closes_at?.toISOString() ?? null,
      completed_at: completed_at?.toISOString() ?? null,
    }),
  )
  const { sponsor_id, sponsor, member_id, answers_until: _until, ...shown } = journey
  return LearnerJourneyPage.parse({
    ...shown,
    sponsor: sponsor ?? (await readSponsor(scope, sponsor_id)),
    completed: lifts.filter((lift) => lift.state === 'completed').length,
    lifts,
    has_assessments: await wasAskedAbout(scope, member_id),
  })
}

type Occurrence = { state: string; due_at: Date | null; closes_at: Date | null }

function stateOf({ state, due_at, closes_at }: Occurrence, now: Date): LearnerLift['state'] {
  if (state === 'completed') return 'completed'
  if (state === 'expired' || (closes_at !== null && closes_at <= now)) return 'closed'
  return due_at === null || due_at > now || state === 'planned' || state === 'held' ? 'coming' : 'open'
}

/** The schedule of a journey: its lifts in order, how far each got, what a launch would meet. */
import { sql } from 'kysely'
import { listLifts } from '../lifts/lifts.server.ts'
import type { Scope } from '../scope.server.ts'
import { getJourney } from './journeys.server.ts'
import { prospectLaunch } from './launching.server.ts'
import type { Timeline } from './timeline.ts'

const NOTHING = { assigned: 0, accepted: 0, opened: 0, responded: 0, completed: 0, first_due_at: null }

export async function getTimeline(scope: Scope, id: number): Promise<Timeline> {
  const journey = await getJourney(scope, id)
  const lifts = await listLifts(scope, id)
  const counts = await countTurns(scope, id)
  const withCounts = lifts.map((lift) => ({ ...lift, counts: counts.get(lift.id) ?? NOTHING }))
  if (journey.status !== 'draft')
    return { journey, lifts: withCounts, learners: journey.learners, problems: [], past_lifts: [] }
  const { problems, past, learners } = await prospectLaunch(scope, journey, lifts)
  return {
    journey,
    lifts: withCounts,
    learners,
    problems,
    past_lifts: past.map(({ id: liftId, title }) => ({ id: liftId, title })),
  }
}

async function countTurns({ db }: Scope, journeyId: number) {
  const rows = await db
    .selectFrom('fact_occurrence')
    .select([
      'lift_id',
      sql<number>`count(*)`.as('assigned'),
      sql<number>`count(accepted_at)`.as('accepted'),
      sql<number>`count(opened_at)`.as('opened'),
      sql<number>`count(responded_at)`.as('responded'),
      sql<number>`count(completed_at)`.as('completed'),
      sql<Date | null>`min(due_at)`.as('first_due_at'),
    ])
    .where('journey_id', '=', journeyId)
    .where('state', 'not in', ['cancelled', 'held'])
    .groupBy('lift_id')
    .execute()
  return new Map(
    rows.map(({ lift_id, first_due_at, ...counts }) => [
      lift_id,
      { ...counts, first_due_at: first_due_at?.toISOString() ?? null },
    ]),
  )
}

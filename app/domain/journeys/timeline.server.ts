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
    .selectFrom('lift_tallies as t')
    .select([
      't.lift_id',
      sql<number>`sum(t.assigned)::bigint`.as('assigned'),
      sql<number>`sum(t.accepted)::bigint`.as('accepted'),
      sql<number>`sum(t.opened)::bigint`.as('opened'),
      sql<number>`sum(t.responded)::bigint`.as('responded'),
      sql<number>`sum(t.completed)::bigint`.as('completed'),
      sql<Date | null>`(select o.due_at from occurrences o where o.tenant_id = t.tenant_id and o.lift_id = t.lift_id
        and o.due_at is not null and o.state not in ('cancelled', 'held') order by o.due_at limit 1)`.as(
        'first_due_at',
      ),
    ])
    .where('t.journey_id', '=', journeyId)
    .groupBy(['t.tenant_id', 't.lift_id'])
    .execute()
  return new Map(
    rows.map(({ lift_id, first_due_at, ...counts }) => [
      lift_id,
      { ...counts, first_due_at: first_due_at?.toISOString() ?? null },
    ]),
  )
}

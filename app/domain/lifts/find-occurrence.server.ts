import { sql } from 'kysely'
import { OWN_ZONE } from '../hours/own-clock.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { asParticipant, type Scope } from '../scope/scope.server.ts'

/** The signed-in person's occurrence of this lift. */
export const findOccurrence = (scope: Scope, liftId: number): Promise<Occurrence | undefined> =>
  asParticipant(scope, (own) => readOccurrence(own, liftId))

/**
 * The same within a participant's scope. With a lock, concurrent answers are handled one after the other. Without
 * one, it includes the content as sent, which after waiting for a lock would be read from an old snapshot.
 */
export async function readOccurrence(scope: Scope, liftId: number, lock?: 'to answer') {
  return selectOccurrence(scope, liftId)
    .$if(lock === undefined, (query) =>
      query.select(
        sql<unknown>`(select v.content from lift_versions v where v.lift_id = o.lift_id and v.version = o.content_version)`.as(
          'content',
        ),
      ),
    )
    .where('o.due_at', '<=', nowIn(scope))
    .where('o.state', 'not in', ['held', 'cancelled'])
    .$if(lock !== undefined, (query) => query.forUpdate('o'))
    .executeTakeFirst()
}

export const selectOccurrence = ({ actor, db }: Scope, liftId: number) =>
  db
    .selectFrom('occurrences as o')
    .innerJoin('members as m', 'm.id', 'o.member_id')
    .innerJoin('journeys as j', 'j.id', 'o.journey_id')
    .select('m.sponsor_id')
    .select([
      'o.id',
      'o.member_id',
      'o.journey_id',
      'o.lift_id',
      'o.state',
      'o.content_version',
      'o.opened_at',
    ])
    .select([
      'o.first_response_at',
      'o.zone',
      'o.completed_at',
      'o.closes_at',
      'o.due_at',
      'j.name as journey_name',
      'j.status as journey_status',
      'j.answers_until',
      'm.state as member_state',
      OWN_ZONE.as('own_zone'),
    ])
    .where('o.lift_id', '=', liftId)
    .where('m.user_id', '=', actor.user_id ?? 0)
    .where('m.role', '=', 'learner')
    .where('m.state', '!=', 'withdrawn')
export type Occurrence = NonNullable<Awaited<ReturnType<typeof readOccurrence>>>

/** Whether the journey no longer takes answers. */
export const hasEnded = ({ answers_until }: Pick<Occurrence, 'answers_until'>, now: Date): boolean =>
  answers_until !== null && answers_until <= now

export const earlier = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one < other ? one : other) : (one ?? other)

export const isClosedFor = (
  occurrence: Pick<Occurrence, 'closes_at' | 'answers_until' | 'state'>,
  now: Date,
): boolean => {
  const closes_at = earlier(occurrence.closes_at, occurrence.answers_until)
  return occurrence.state === 'expired' || (closes_at !== null && closes_at <= now)
}

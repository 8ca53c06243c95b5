/** The journeys of the one who is signed in, and what is waiting for them. */
import { sql } from 'kysely'
import { nowIn } from '../clock.server.ts'
import { isClosed, type JourneyStatus } from '../journeys/journey-status.ts'
import { IS_OVERDUE } from '../occurrences/overdue.server.ts'
import { asParticipant, type Scope } from '../scope.server.ts'
import type { LearnerJourney, LearnerJourneys, Todo } from './learning.ts'

const MAX_ITEMS = 200

/** Memberships first, then their journeys: without statistics, as after a crash, all of the tenant's would be read. */
const ownJourneys = ({ actor, db }: Scope) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('members')
        .select(['id', 'journey_id', 'joined_at'])
        .where('user_id', '=', actor.user_id ?? 0)
        .where('role', '=', 'learner')
        .where('state', '!=', 'withdrawn')
        .offset(0)
        .as('m'),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('journeys')
          .select(['tenant_id', 'id', 'name', 'category', 'status', 'answers_until'])
          .whereRef('id', '=', 'm.journey_id')
          .where('status', 'in', ['scheduled', 'active', 'paused', 'completed', 'archived'])
          .offset(0)
          .as('j'),
      (join) => join.onTrue(),
    )

export const listTodo = (scope: Scope): Promise<Todo> => asParticipant(scope, readTodo)

async function readTodo(scope: Scope): Promise<Todo> {
  const rows = await ownJourneys(scope)
    .innerJoinLateral(
      (eb) => eb.selectFrom('occurrences').selectAll().whereRef('member_id', '=', 'm.id').offset(0).as('o'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('lifts')
          .select(['title', 'est_minutes', 'required'])
          .whereRef('id', '=', 'o.lift_id')
          .offset(0)
          .as('l'),
      (join) => join.onTrue(),
    )
    .select([
      'o.lift_id',
      'l.title',
      'j.id',
      'j.name',
      'o.due_at',
      sql<Date | null>`least(o.closes_at, j.answers_until)`.as('closes_at'),
      'l.est_minutes',
      'o.opened_at',
      IS_OVERDUE.as('is_overdue'),
    ])
    .where('o.due_at', '<=', sql<Date>`scope_now()`)
    .where('o.state', 'in', ['planned', 'due', 'sent', 'opened', 'responded', 'suppressed'])
    .where((eb) => eb.or([eb('o.closes_at', 'is', null), eb('o.closes_at', '>', sql<Date>`scope_now()`)]))
    .where((eb) =>
      eb.or([eb('j.answers_until', 'is', null), eb('j.answers_until', '>', sql<Date>`scope_now()`)]),
    )
    .orderBy('o.due_at')
    .orderBy('o.id')
    .limit(MAX_ITEMS)
    .execute()
  return {
    data: rows.map((row) => ({
      lift_id: row.lift_id,
      title: row.title,
      journey: { id: row.id, name: row.name },
      due_at: (row.due_at ?? nowIn(scope)).toISOString(),
      closes_at: row.closes_at?.toISOString() ?? null,
      est_minutes: row.est_minutes,
      is_started: row.opened_at !== null,
      is_overdue: row.is_overdue,
    })),
  }
}

export const listLearnerJourneys = (scope: Scope): Promise<LearnerJourneys> =>
  asParticipant(scope, async (own) => ({ data: (await readLearning(own)).journeys }))

/** Both lists, in the scope of a participant. */
export async function readLearning(
  scope: Scope,
): Promise<{ todo: Todo['data']; journeys: LearnerJourneys['data'] }> {
  const rows = await ownJourneys(scope)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('occurrences')
          .select(['id', 'state'])
          .whereRef('member_id', '=', 'm.id')
          .where('state', '!=', 'cancelled')
          .offset(0)
          .as('o'),
      (join) => join.onTrue(),
    )
    .select(['j.id', 'j.name', 'j.category', 'j.status'])
    .select([
      sql<number>`count(o.id)`.as('total'),
      sql<number>`count(o.id) filter (where o.state = 'completed')`.as('completed'),
    ])
    .groupBy(['j.tenant_id', 'j.id', 'j.name', 'j.category', 'j.status', 'm.joined_at'])
    .orderBy('m.joined_at', 'desc')
    .orderBy('j.id')
    .limit(MAX_ITEMS)
    .execute()
  const [todo, coming] = [await readTodo(scope), await readComing(scope)]
  return {
    todo: todo.data,
    journeys: rows.map((row) => {
      const waits = todo.data.find((item) => item.journey.id === row.id)
      const comes = coming.get(row.id) ?? null
      return {
        ...row,
        next_lift: waits ? { id: waits.lift_id, title: waits.title } : null,
        coming: comes,
        is_finished: isClosed(row.status as JourneyStatus)
          ? !waits
          : row.total > 0 && Number(row.completed) === Number(row.total) && !comes,
      }
    }),
  }
}

/** The first lift of each journey that has not come; those of a paused one have no time until it goes on. */
async function readComing(scope: Scope): Promise<Map<number, LearnerJourney['coming']>> {
  const rows = await ownJourneys(scope)
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('occurrences as one')
          .innerJoin('lifts as l', 'l.id', 'one.lift_id')
          .select(['l.title', 'l.position'])
          .select(sql<Date | null>`case when one.state = 'planned' then one.due_at end`.as('due_at'))
          .whereRef('one.member_id', '=', 'm.id')
          .where('one.state', 'in', ['planned', 'held'])
          .where((is) => is.or([is('one.due_at', 'is', null), is('one.due_at', '>', sql<Date>`scope_now()`)]))
          .orderBy('due_at', (order) => order.asc().nullsLast())
          .orderBy('l.position')
          .limit(1)
          .as('c'),
      (join) => join.onTrue(),
    )
    .select(['j.id', 'c.title'])
    .select(sql<Date | null>`case when j.status <> 'paused' then c.due_at end`.as('due_at'))
    .where('j.status', 'in', ['scheduled', 'active', 'paused'])
    .execute()
  return new Map(rows.map(({ id, title, due_at }) => [id, { title, due_at: due_at?.toISOString() ?? null }]))
}

/** The journeys of the one who is signed in, and what is waiting for them. */
import { sql } from 'kysely'
import { asParticipant, type Scope } from '../scope.server.ts'
import type { LearnerJourneys, Todo } from './learning.ts'

const MAX_ITEMS = 200

const turnsOf = ({ actor, db }: Scope) =>
  db
    .selectFrom('members as m')
    .innerJoin('journeys as j', 'j.id', 'm.journey_id')
    .where('m.user_id', '=', actor.user_id ?? 0)
    .where('m.role', '=', 'learner')
    .where('m.state', '!=', 'withdrawn')
    .where('j.status', 'in', ['scheduled', 'active', 'paused', 'completed', 'archived'])

export const listTodo = (scope: Scope): Promise<Todo> => asParticipant(scope, readTodo)

async function readTodo(scope: Scope): Promise<Todo> {
  const rows = await turnsOf(scope)
    .innerJoin('occurrences as o', 'o.member_id', 'm.id')
    .innerJoin('lifts as l', 'l.id', 'o.lift_id')
    .select([
      'o.lift_id',
      'l.title',
      'j.id',
      'j.name',
      'o.due_at',
      sql<Date | null>`least(o.closes_at, j.answers_until)`.as('closes_at'),
      'l.est_minutes',
      'o.opened_at',
    ])
    .where('o.due_at', '<=', sql<Date>`now()`)
    .where('o.state', 'in', ['planned', 'due', 'sent', 'opened', 'responded', 'suppressed'])
    .where((eb) => eb.or([eb('o.closes_at', 'is', null), eb('o.closes_at', '>', sql<Date>`now()`)]))
    .where((eb) => eb.or([eb('j.answers_until', 'is', null), eb('j.answers_until', '>', sql<Date>`now()`)]))
    .orderBy('o.due_at')
    .orderBy('o.id')
    .limit(MAX_ITEMS)
    .execute()
  return {
    data: rows.map((row) => ({
      lift_id: row.lift_id,
      title: row.title,
      journey: { id: row.id, name: row.name },
      due_at: (row.due_at ?? new Date()).toISOString(),
      closes_at: row.closes_at?.toISOString() ?? null,
      est_minutes: row.est_minutes,
      is_started: row.opened_at !== null,
    })),
  }
}

export const listLearnerJourneys = (scope: Scope): Promise<LearnerJourneys> =>
  asParticipant(scope, readJourneys)

async function readJourneys(scope: Scope): Promise<LearnerJourneys> {
  const rows = await turnsOf(scope)
    .leftJoin('occurrences as o', (join) =>
      join.onRef('o.member_id', '=', 'm.id').on('o.state', '!=', 'cancelled'),
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
  const todo = await readTodo(scope)
  return {
    data: rows.map((row) => {
      const next = todo.data.find((item) => item.journey.id === row.id)
      return { ...row, next_lift: next ? { id: next.lift_id, title: next.title } : null }
    }),
  }
}

/** The journeys of the signed-in person, and their waiting lifts. */
import { type Kysely, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { plannedOnce } from '#app/db/plans/named.server.ts'
import { rowById } from '#app/db/row-by-id.server.ts'
import type { DB } from '#app/db/schema.ts'
import { isClosed, type JourneyStatus } from '../journeys/journey-status.ts'
import type { Commitment } from '../lifts/commitment.ts'
import { selectOwnOpen, toCommitment } from '../lifts/commitments.server.ts'
import { IS_OVERDUE } from '../occurrences/overdue.server.ts'
import { IS_NOT_NEXT } from '../occurrences/waits-in-vain.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { OWN_MEMBERS } from '../scope/own-members.server.ts'
import { asParticipant, type Scope } from '../scope/scope.server.ts'
import type { LearnerJourney, LearnerJourneys, Todo } from './learning.ts'

const MAX_ITEMS = sql.lit(200)
const ONE = sql.lit(1)
const NONE = sql.lit(0)

/**
 * Memberships first, then their journeys: without statistics, as after a crash, PostgreSQL would read all journeys of
 * the tenant.
 */
const ownJourneys = (db: Kysely<DB>) =>
  db
    .selectFrom(OWN_MEMBERS.as('m'))
    .innerJoinLateral(rowById('journeys', 'm.journey_id').as('j'), (join) => join.onTrue())
    .where('m.role', '=', sql.lit('learner'))
    .where('j.status', '!=', sql.lit('draft'))

/** The occurrence `o` in the journey `j` is due, not done, and takes answers. */
const WAITS = sql<boolean>`o.due_at <= scope_now()
  and o.state in ('planned', 'due', 'sent', 'opened', 'responded', 'suppressed')
  and (o.closes_at is null or o.closes_at > scope_now()) and (j.answers_until is null or j.answers_until > scope_now())`

export const listTodo = (scope: Scope): Promise<Todo> => asParticipant(scope, readTodo)

const selectWaiting = (db: Kysely<DB>) =>
  ownJourneys(db)
    .innerJoinLateral(
      (eb) =>
        eb.selectFrom('occurrences').selectAll().whereRef('member_id', '=', 'm.id').offset(NONE).as('o'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(rowById('lifts', 'o.lift_id').as('l'), (join) => join.onTrue())
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
    .where(WAITS)
    .orderBy('o.due_at')
    .orderBy('o.id')
    .limit(MAX_ITEMS)

const readWaiting = plannedOnce((db) => db.selectNoFrom(jsonArrayFrom(selectWaiting(db)).as('waiting')))

async function readTodo(scope: Scope): Promise<Todo> {
  const [row] = await readWaiting(scope.db)
  return { data: todoOf(row?.waiting ?? [], scope) }
}

type Waiting = Awaited<ReturnType<typeof readWaiting>>[number]['waiting']

const todoOf = (rows: Waiting, scope: Scope): Todo['data'] =>
  rows.map((row) => ({
    lift_id: row.lift_id,
    title: row.title,
    journey: { id: row.id, name: row.name },
    due_at: isoOf(row.due_at) ?? nowIn(scope).toISOString(),
    closes_at: isoOf(row.closes_at),
    est_minutes: row.est_minutes,
    is_started: row.opened_at !== null,
    is_overdue: row.is_overdue,
  }))

/** Timestamps in PostgreSQL's JSON have microseconds. */
const isoOf = (moment: string | null): string | null =>
  moment === null ? null : new Date(moment).toISOString()

export const listLearnerJourneys = (scope: Scope): Promise<LearnerJourneys> =>
  asParticipant(scope, async (own) => {
    const [row] = await readOwn(own.db)
    const { journeys, todo } = learningOf(row, own)
    return { data: journeys, todo }
  })

type Learning = { todo: Todo['data']; journeys: LearnerJourneys['data'] }

const learningOf = (
  row: Awaited<ReturnType<typeof readOwn>>[number] | undefined,
  scope: Scope,
): Learning => ({
  journeys: (row?.journeys ?? []).map(journeyOf),
  todo: todoOf(row?.waiting ?? [], scope),
})

/** Both lists and the open commitments, in the scope of a participant. */
export async function readLearningToday(scope: Scope): Promise<Learning & { commitments: Commitment[] }> {
  const [row] = await readOwnToday(scope.db)
  const commitments = (row?.commitments ?? []).map(({ acknowledged_at: at, ...rest }) =>
    toCommitment({ ...rest, acknowledged_at: at === null ? null : new Date(at) }),
  )
  return { ...learningOf(row, scope), commitments }
}

/** Each journey with its first waiting lift and its next coming one; while paused, the latter has no time. */
const selectJourneys = (db: Kysely<DB>) =>
  ownJourneys(db)
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('occurrences')
          .select((is) => [
            is.fn.countAll<number>().as('total'),
            is.fn.countAll<number>().filterWhere('state', '=', sql.lit('completed')).as('completed'),
          ])
          .whereRef('member_id', '=', 'm.id')
          .where('state', '!=', sql.lit('cancelled'))
          .as('n'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('occurrences as o')
          .innerJoinLateral(rowById('lifts', 'o.lift_id').as('l'), (join) => join.onTrue())
          .select(['l.id', 'l.title'])
          .whereRef('o.member_id', '=', 'm.id')
          .where(WAITS)
          .orderBy('o.due_at')
          .orderBy('o.id')
          .limit(ONE)
          .as('w'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('occurrences as o')
          .innerJoinLateral(rowById('lifts', 'o.lift_id').as('l'), (join) => join.onTrue())
          .select(['l.title', 'l.position'])
          .select(sql<Date | null>`case when o.state = 'planned' then o.due_at end`.as('due_at'))
          .whereRef('o.member_id', '=', 'm.id')
          .where(sql<boolean>`o.state in ('planned', 'held')`)
          .where((is) => is.or([is('o.due_at', 'is', null), is('o.due_at', '>', sql<Date>`scope_now()`)]))
          .where(sql<boolean>`not ${IS_NOT_NEXT}`)
          .where(sql<boolean>`j.status in ('scheduled', 'active', 'paused')`)
          .orderBy('due_at', (order) => order.asc().nullsLast())
          .orderBy('l.position')
          .limit(ONE)
          .as('c'),
      (join) => join.onTrue(),
    )
    .select(['j.id', 'j.name', 'j.category', 'j.status', 'n.total', 'n.completed'])
    .select(['w.id as waits_id', 'w.title as waits', 'c.title as comes'])
    .select(sql<Date | null>`case when j.status <> 'paused' then c.due_at end`.as('due_at'))
    .orderBy('m.joined_at', 'desc')
    .orderBy('j.id')
    .limit(MAX_ITEMS)

const selectLists = (db: Kysely<DB>) =>
  db.selectNoFrom([
    jsonArrayFrom(selectJourneys(db)).as('journeys'),
    jsonArrayFrom(selectWaiting(db)).as('waiting'),
  ])

const readOwn = plannedOnce(selectLists)
const readOwnToday = plannedOnce((db) =>
  selectLists(db).select(jsonArrayFrom(selectOwnOpen(db)).as('commitments')),
)

type OwnJourney = Awaited<ReturnType<typeof readOwn>>[number]['journeys'][number]

const journeyOf = ({ waits_id, waits, comes, due_at, ...row }: OwnJourney): LearnerJourney => ({
  ...row,
  next_lift: waits_id === null || waits === null ? null : { id: waits_id, title: waits },
  coming: comes === null ? null : { title: comes, due_at: isoOf(due_at) },
  is_finished: isClosed(row.status as JourneyStatus)
    ? waits_id === null
    : row.total > 0 && row.completed === row.total && comes === null,
})

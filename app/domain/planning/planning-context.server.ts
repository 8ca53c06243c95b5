/** What planning has to know besides rules and people: the place's clock and rest, what is done, which days are taken. */
import { sql } from 'kysely'
import { occurrencesOf } from '../occurrences/occurrences.server.ts'
import { IS_SETTLED } from '../occurrences/settled.server.ts'
import type { Scope } from '../scope.server.ts'
import { readClockAndHours } from './clock-and-hours.server.ts'
import type { Learner } from './learners.server.ts'
import type { Pause, Stated } from './pauses.ts'

export async function readCircumstances(
  scope: Scope,
  journeyId: number,
  lifts: readonly { id: number }[],
  learners: readonly Learner[],
  now: Date,
  before: Date | null = null,
) {
  return {
    ...(await readClockAndHours(scope, journeyId)),
    ...(await readLifts(scope, journeyId)),
    pauses: await pausesUntil(scope, journeyId, before),
    completed: await completions(scope, learners),
    settled: await settledOccurrences(scope, lifts, learners),
    taken: await takenDays(scope, lifts, learners, now),
    came: await occurrencesThatCame(scope, lifts, learners, now),
  }
}

/** Occurrences that came due and of which nothing has left yet, by member and lift: when. */
async function occurrencesThatCame(
  { db }: Scope,
  lifts: readonly { id: number }[],
  learners: readonly Learner[],
  now: Date,
): Promise<Map<number, Map<number, Date>>> {
  const found = new Map<number, Map<number, Date>>()
  const { rows } = await sql<{ member_id: number; lift_id: number; due_at: Date }>`
    select o.member_id, o.lift_id, o.due_at from ${occurrencesOf(learners.map((one) => one.id))}
    where o.lift_id = any(${lifts.map((lift) => lift.id)}::bigint[]) and o.due_at <= ${now}
      and o.state in ('planned', 'held', 'due') and not ${IS_SETTLED}`.execute(db)
  for (const { member_id, lift_id, due_at } of rows) {
    const own = found.get(member_id) ?? new Map<number, Date>()
    found.set(member_id, own.set(lift_id, due_at))
  }
  return found
}

/** The ready lift before each one, and when the dates were named. */
async function readLifts(
  { db }: Scope,
  journeyId: number,
): Promise<{ previous: Map<number, number>; stated: Stated }> {
  const rows = await db
    .selectFrom('lifts')
    .select([
      'id',
      'scheduled_on',
      sql<number | null>`(select p.id from lifts p where p.journey_id = lifts.journey_id
        and p.position < lifts.position and p.status = 'ready' order by p.position desc limit 1)`.as(
        'before',
      ),
    ])
    .where('journey_id', '=', journeyId)
    .execute()
  const { start_on, start_set_on } = await db
    .selectFrom('journeys')
    .select(['start_on', 'start_set_on'])
    .where('id', '=', journeyId)
    .executeTakeFirstOrThrow()
  return {
    previous: new Map(rows.flatMap(({ id, before }) => (before === null ? [] : [[id, before]]))),
    stated: {
      start: start_on === null ? null : start_set_on,
      lifts: new Map(rows.map(({ id, scheduled_on }) => [id, scheduled_on])),
    },
  }
}

/** Without `before`, all that have ended; what was to be done before a pause ended knows nothing of it. */
async function pausesUntil({ db }: Scope, journeyId: number, before: Date | null): Promise<Pause[]> {
  const { rows } = await sql<Pause>`select paused_at as "from", resumed_at as "to" from journey_pauses
    where journey_id = ${journeyId} and (${before}::timestamptz is null or resumed_at <= ${before}::timestamptz)
    order by paused_at`.execute(db)
  return rows
}

async function completions(
  { db }: Scope,
  learners: readonly Learner[],
): Promise<Map<number, Map<number, Date>>> {
  const found = new Map<number, Map<number, Date>>()
  const { rows } = await sql<{ member_id: number; lift_id: number; completed_at: Date }>`
    select o.member_id, o.lift_id, o.completed_at from ${occurrencesOf(learners.map((one) => one.id))} where o.completed_at is not null`.execute(
    db,
  )
  for (const { member_id, lift_id, completed_at } of rows) {
    const own = found.get(member_id) ?? new Map<number, Date>()
    found.set(member_id, own.set(lift_id, completed_at))
  }
  return found
}

/** Who has had which of these lifts already, or is just getting it: that is not planned again. */
async function settledOccurrences(
  { db }: Scope,
  lifts: readonly { id: number }[],
  learners: readonly Learner[],
): Promise<Map<number, Set<number>>> {
  const found = new Map<number, Set<number>>()
  const { rows } = await sql<{ member_id: number; lift_id: number }>`
    select o.member_id, o.lift_id from ${occurrencesOf(learners.map((one) => one.id))}
    where o.lift_id = any(${lifts.map((lift) => lift.id)}::bigint[]) and ${IS_SETTLED}`.execute(db)
  for (const { member_id, lift_id } of rows)
    found.set(member_id, (found.get(member_id) ?? new Set()).add(lift_id))
  return found
}

/** The days from now on that bring each person a lift already, of whichever journey; `lifts` are being planned. */
async function takenDays(
  { db }: Scope,
  lifts: readonly { id: number }[],
  learners: readonly Learner[],
  now: Date,
): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ user_id: number; days: string[] }>`
    select m.user_id, array_agg(distinct to_char(o.due_at at time zone o.zone, 'YYYY-MM-DD')) as days
    from unnest(${learners.map((one) => one.user_id)}::bigint[]) as person (id)
      cross join lateral (select * from members where user_id = person.id and role = 'learner' offset 0) m
      cross join lateral (select * from occurrences where member_id = m.id
        and due_at > ${new Date(now.getTime() - 86_400_000)} offset 0) o
    where o.state not in ('cancelled', 'expired')
      and (o.lift_id <> all(${lifts.map((lift) => lift.id)}::bigint[]) or ${IS_SETTLED})
      and not exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
        and d.error_code = 'todo_only')
    group by m.user_id`.execute(db)
  return new Map(rows.map(({ user_id, days }) => [user_id, days]))
}

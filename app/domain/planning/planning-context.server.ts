/** What planning needs besides rules and people: time zone and quiet hours, completed lifts, and taken days. */
import { sql } from 'kysely'
import { readClockAndHours } from '../journeys/clock-and-hours.server.ts'
import { occurrencesOf } from '../occurrences/occurrences.server.ts'
import { IS_SETTLED } from '../occurrences/settled.server.ts'
import type { Scope } from '../scope/scope.server.ts'
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
    ...(await readJourney(scope, journeyId, before)),
    ...(await readTurns(scope, lifts, learners, now)),
    taken: await takenDays(scope, lifts, learners, now),
  }
}

type LiftRow = { id: number; scheduled_on: string; before: number | null }

/** The ready lift before each one, when the dates were set, and the ended pauses; with `before`, as of then. */
async function readJourney(
  { db }: Scope,
  journeyId: number,
  before: Date | null,
): Promise<{ previous: Map<number, number>; stated: Stated; pauses: Pause[] }> {
  const { rows } = await sql<{ start_set_on: Date | null; lifts: LiftRow[]; pauses: [string, string][] }>`
    select case when j.start_on is not null then j.start_set_on end as start_set_on,
      array(select jsonb_build_object('id', l.id, 'scheduled_on', l.scheduled_on, 'before',
        (select p.id from lifts p where p.journey_id = l.journey_id and p.position < l.position and p.status = 'ready'
          order by p.position desc limit 1)) from lifts l where l.journey_id = j.id) as lifts,
      array(select jsonb_build_array(x.paused_at, x.resumed_at) from journey_pauses x where x.journey_id = j.id
        and (${before}::timestamptz is null or x.resumed_at <= ${before}::timestamptz) order by x.paused_at) as pauses
    from journeys j where j.id = ${journeyId}`.execute(db)
  const { start_set_on = null, lifts = [], pauses = [] } = rows[0] ?? {}
  return {
    previous: new Map(lifts.flatMap(({ id, before }) => (before === null ? [] : [[id, before]]))),
    stated: {
      start: start_set_on,
      lifts: new Map(lifts.map(({ id, scheduled_on }) => [id, new Date(scheduled_on)])),
    },
    pauses: pauses.map(([from, to]) => ({ from: new Date(from), to: new Date(to) })),
  }
}

type Turn = {
  member_id: number
  lift_id: number
  due_at: Date
  completed_at: Date | null
  fate: 'settled' | 'came' | null
}

/**
 * For each member and lift: when it was completed; whether it is settled or being sent, and so not planned again; and
 * when it fell due, if nothing of it has left yet.
 */
async function readTurns(
  { db }: Scope,
  lifts: readonly { id: number }[],
  learners: readonly Learner[],
  now: Date,
) {
  const completed = new Map<number, Map<number, Date>>()
  const settled = new Map<number, Set<number>>()
  const came = new Map<number, Map<number, Date>>()
  const liftIds = lifts.map((lift) => lift.id)
  const { rows } = await sql<Turn>`
    select o.member_id, o.lift_id, o.due_at, o.completed_at, case when o.lift_id <> all(${liftIds}::bigint[]) then null
      when ${IS_SETTLED} then 'settled'
      when o.due_at <= ${now} and o.state in ('planned', 'held', 'due') then 'came' end as fate
    from ${occurrencesOf(learners.map((one) => one.id))}
    where o.completed_at is not null or o.lift_id = any(${liftIds}::bigint[])`.execute(db)
  for (const { member_id, lift_id, due_at, completed_at, fate } of rows) {
    if (completed_at) keep(completed, member_id, lift_id, completed_at)
    if (fate === 'settled') settled.set(member_id, (settled.get(member_id) ?? new Set()).add(lift_id))
    if (fate === 'came') keep(came, member_id, lift_id, due_at)
  }
  return { completed, settled, came }
}

function keep(found: Map<number, Map<number, Date>>, memberId: number, liftId: number, at: Date): void {
  found.set(memberId, (found.get(memberId) ?? new Map<number, Date>()).set(liftId, at))
}

/** For each member, the ready lifts among and before these that they do not get: late joiners, and lifts skipped by a pause. */
export async function readMissed(
  scope: Scope,
  liftIds: readonly number[],
  learners: readonly Learner[],
  before: (liftId: number) => number | undefined,
): Promise<Map<number, Set<number>>> {
  const missed = new Map<number, Set<number>>()
  const asked = new Set<number>()
  for (let ids = liftIds; ids.length > 0; ) {
    const found = await listUnplanned(scope, ids, learners)
    for (const { lift_id, member_ids } of found)
      for (const id of member_ids) missed.set(id, (missed.get(id) ?? new Set<number>()).add(lift_id))
    for (const id of ids) asked.add(id)
    ids = found.flatMap(({ lift_id }) => before(lift_id) ?? []).filter((id) => !asked.has(id))
  }
  return missed
}

async function listUnplanned({ db }: Scope, liftIds: readonly number[], learners: readonly Learner[]) {
  const { rows } = await sql<{ lift_id: number; member_ids: number[] }>`
    select l.id as lift_id, array_agg(m.id) as member_ids
    from lifts l cross join unnest(${learners.map((one) => one.id)}::bigint[]) as m (id)
    where l.id = any(${[...liftIds]}::bigint[]) and l.status = 'ready' and not exists (select from occurrences o
      where o.tenant_id = l.tenant_id and o.lift_id = l.id and o.member_id = m.id and o.state <> 'cancelled')
    group by 1`.execute(db)
  return rows
}

/**
 * Future days on which each person already gets a lift, of any journey; `lifts` are being planned and do not count.
 */
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

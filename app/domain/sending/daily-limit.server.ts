/** One lift and one reminder a day, checked again by senders, one at a time per person. */
import { type RawBuilder, sql } from 'kysely'
import { sameTimeLater } from '../hours/next-allowed.ts'
import { MAY_ARRIVE } from '../occurrences/resend.server.ts'
import { takeTurns } from '../scope/advisory-lock.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { Claimed } from './claimed-dispatch.server.ts'

/** The next allowed time for people who had one of the same kind today; lifts sent manually do not count. */
export async function afterToday(scope: Scope, rows: readonly Claimed[]): Promise<Map<number, Date>> {
  const lifts = rows.filter((row) => row.kind === 'lift' && !row.by_hand)
  const reminders = rows.filter((row) => row.kind === 'reminder')
  await takeTurns(scope, ...[...lifts, ...reminders].map((row) => `day of ${row.user_id}`))
  // Whenever they were due: messages held back by the company may leave days later.
  const others = sql`id <> mine.occurrence_id and state not in ('planned', 'cancelled') and not by_hand`
  const zoneOf = (row: Claimed) => row.zone ?? row.tenant_zone
  const had = [
    ...(await hadToday(scope, 'lift', lifts, (row) => row.plan_zone, others)),
    ...(await hadToday(scope, 'reminder', reminders, zoneOf, sql`state not in ('planned', 'cancelled')`)),
  ]
  for (const row of reminders)
    if (!had.includes(row) && (await hadCommitmentToday(scope, row.user_id, zoneOf(row)))) had.push(row)
  return new Map(had.map((row) => [row.id, sameTimeLater(row.due_at, nowIn(scope), row)]))
}

async function hadToday(
  { db }: Scope,
  kind: 'lift' | 'reminder',
  rows: readonly Claimed[],
  zoneOf: (row: Claimed) => string,
  others: RawBuilder<unknown>,
): Promise<Claimed[]> {
  if (rows.length === 0) return []
  const { rows: had } = await sql<{ id: number }>`
    select mine.id from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.user_id)}::bigint[],
        ${rows.map((row) => row.occurrence_id)}::bigint[], ${rows.map(zoneOf)}::text[])
        as mine (id, user_id, occurrence_id, zone)
      cross join lateral (
        select from members m
          cross join lateral (select tenant_id, id from occurrences where member_id = m.id and ${others} offset 0) o
          join dispatches d on d.tenant_id = o.tenant_id and d.occurrence_id = o.id
        where m.user_id = mine.user_id and m.role = 'learner' and d.kind = ${kind} and d.id <> mine.id
          and ${MAY_ARRIVE}
          and (d.sent_at at time zone mine.zone)::date = (scope_now() at time zone mine.zone)::date limit 1) had`.execute(
    db,
  )
  const ids = new Set(had.map(({ id }) => id))
  return rows.filter(({ id }) => ids.has(id))
}

/** A reminder of a commitment due today counts as that day's reminder. */
export async function hadCommitmentToday({ db }: Pick<Scope, 'db'>, userId: number, zone: string) {
  const { rows } =
    await sql`select from commitments c join members m on m.tenant_id = c.tenant_id and m.id = c.member_id
    where m.user_id = ${userId} and c.messaged_on = (scope_now() at time zone ${zone})::date limit 1`.execute(
      db,
    )
  return rows.length > 0
}

/** A reminder of any lift counts, even if the learner has answered since. */
export async function hadReminderToday({ db }: Pick<Scope, 'db'>, userId: number, zone: string) {
  const { rows } = await sql`select from members m
      join occurrences o on o.tenant_id = m.tenant_id and o.member_id = m.id
      join dispatches d on d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    where m.user_id = ${userId} and m.role = 'learner' and d.kind = 'reminder'
      and ${MAY_ARRIVE}
      and (d.sent_at at time zone ${zone})::date = (scope_now() at time zone ${zone})::date limit 1`.execute(
    db,
  )
  return rows.length > 0
}

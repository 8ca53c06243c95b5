/** One lift and one reminder a day: senders ask once more, one after the other. */
import { sql } from 'kysely'
import { takeTurns } from '../advisory-lock.server.ts'
import { nowIn } from '../clock.server.ts'
import { sameTimeLater } from '../quiet-hours.ts'
import type { Scope } from '../scope.server.ts'
import type { Claimed } from './claimed-dispatch.server.ts'

/** When to come back, where the person had one of its kind today; what a person sends by hand comes on top. */
export async function afterToday({ db }: Scope, row: Claimed): Promise<Date | null> {
  if ((row.kind !== 'lift' && row.kind !== 'reminder') || (row.kind === 'lift' && row.by_hand)) return null
  await takeTurns({ db }, `day of ${row.user_id}`)
  const zone = row.kind === 'lift' ? row.plan_zone : (row.zone ?? row.tenant_zone)
  const others =
    row.kind === 'lift'
      ? // However long ago they were due: what the company held back may leave days later.
        sql`and id <> ${row.occurrence_id} and state not in ('planned', 'cancelled') and not by_hand`
      : sql`and state in ('sent', 'opened')`
  const { rows } = await sql`
    select from members m
      cross join lateral (select tenant_id, id from occurrences where member_id = m.id ${others} offset 0) o
      join dispatches d on d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    where m.user_id = ${row.user_id} and m.role = 'learner' and d.kind = ${row.kind} and d.id <> ${row.id}
      and d.state in ('planned', 'claimed', 'sending', 'unknown', 'accepted', 'delivered')
      and (d.sent_at at time zone ${zone})::date = (scope_now() at time zone ${zone})::date limit 1`.execute(
    db,
  )
  const had =
    rows.length > 0 || (row.kind === 'reminder' && (await hadCommitmentToday({ db }, row.user_id, zone)))
  return had ? sameTimeLater(row.due_at, nowIn({ db }), row) : null
}

/** What somebody promised for today is that day's reminder. */
export async function hadCommitmentToday({ db }: Pick<Scope, 'db'>, userId: number, zone: string) {
  const { rows } =
    await sql`select from commitments c join members m on m.tenant_id = c.tenant_id and m.id = c.member_id
    where m.user_id = ${userId} and c.messaged_on = (scope_now() at time zone ${zone})::date limit 1`.execute(
      db,
    )
  return rows.length > 0
}

/** Of whichever lift; whoever answered meanwhile had it all the same. */
export async function hadReminderToday({ db }: Pick<Scope, 'db'>, userId: number, zone: string) {
  const { rows } = await sql`select from members m
      join occurrences o on o.tenant_id = m.tenant_id and o.member_id = m.id
      join dispatches d on d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    where m.user_id = ${userId} and m.role = 'learner' and d.kind = 'reminder'
      and d.state in ('planned', 'claimed', 'sending', 'unknown', 'accepted', 'delivered')
      and (d.sent_at at time zone ${zone})::date = (scope_now() at time zone ${zone})::date limit 1`.execute(
    db,
  )
  return rows.length > 0
}

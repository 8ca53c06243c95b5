/** One lift and one reminder a day: those who plan for a person do so one after the other, and senders ask once more. */
import { sql } from 'kysely'
import { sameTimeLater } from '../quiet-hours.ts'
import type { Scope } from '../scope.server.ts'
import type { Claimed } from '../sending/claimed-dispatch.server.ts'
import { takeTurns } from '../sending/send-limits.server.ts'

/** A transaction holds only so many locks, however many people it plans for. */
const LOCKS = 64

/** Two journeys that are planned in the same moment would each find the person's day free. */
export async function lockDays({ db }: Pick<Scope, 'db'>, userIds: readonly number[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(scope_tenant()::text || 'days ' || part, 0))
    from (select distinct id % ${LOCKS} as part from unnest(${userIds}::bigint[]) as id order by 1) parts`.execute(
    db,
  )
}

/** When to come back, where the person had one of its kind today; what a person sends by hand comes on top. */
export async function afterToday({ db }: Scope, row: Claimed): Promise<Date | null> {
  if ((row.kind !== 'lift' && row.kind !== 'reminder') || (row.kind === 'lift' && row.by_hand)) return null
  await takeTurns({ db }, `day of ${row.user_id}`)
  const zone = row.kind === 'lift' ? row.plan_zone : (row.zone ?? row.tenant_zone)
  const others =
    row.kind === 'lift'
      ? sql`and id <> ${row.occurrence_id} and due_at > now() - interval '3 days' and not by_hand`
      : sql`and state in ('sent', 'opened')`
  const { rows } = await sql`
    select from members m
      cross join lateral (select tenant_id, id from occurrences where member_id = m.id ${others} offset 0) o
      join dispatches d on d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    where m.user_id = ${row.user_id} and m.role = 'learner' and d.kind = ${row.kind} and d.id <> ${row.id}
      and d.state in ('planned', 'claimed', 'sending', 'unknown', 'accepted', 'delivered')
      and (d.sent_at at time zone ${zone})::date = (now() at time zone ${zone})::date limit 1`.execute(db)
  return rows.length > 0 ? sameTimeLater(row.due_at, new Date(), row) : null
}

/** Reminders are planned when a lift's message was accepted; whether one still leaves is checked when it is due. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { DB } from '#app/db/schema.ts'
import { settingsInForce } from '../hours/quiet-hours.ts'
import { Journey } from '../journeys/journey.ts'
import { occurrences } from '../occurrences/occurrences.server.ts'
import type { PlanInput } from '../planning/plan-input.ts'
import { allowedAt, dayOf } from '../planning/planner.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'

const DAY = 86_400_000

type Sent = { occurrence_id: number; sent_at: Date }

/** Plans only future reminders: for a message recognized late, earlier ones may have left. Idempotent. */
export async function planReminders(scope: Scope, sent: readonly Sent[]): Promise<void> {
  const rows = sent.length === 0 ? [] : await readReminded(scope, sent)
  if (rows.length === 0) return
  const now = nowIn(scope)
  const reminders = await listReminders(scope, rows)
  const planned = rows.flatMap((row) => remindersOf(row, now, reminders.get(row.user_id) ?? []))
  if (planned.length === 0) return
  await scope.db
    .insertInto('dispatches')
    .values(planned)
    .onConflict((clash) => clash.doNothing())
    .execute()
}

/** One per day; `others` are the person's other reminders, to which these are added. */
function remindersOf(row: Reminded, now: Date, others: Date[]) {
  const { tenant_id, occurrence_id, sent_at, policy } = row
  const planned: Insertable<DB['dispatches']>[] = []
  const given = givenOf(row)
  const dayIn = (at: Date) => dayOf(at, row.zone ?? row.tenant_zone)
  const taken = new Set(others.map(dayIn))
  for (const [index, { after_hours, channel }] of policy.entries()) {
    let due_at = allowedAt(new Date(sent_at.getTime() + after_hours * 3_600_000), given)
    while (taken.has(dayIn(due_at))) {
      // Looks for a free day before checking quiet hours: of somebody in a hundred journeys many days are taken.
      do due_at = new Date(due_at.getTime() + DAY)
      while (taken.has(dayIn(due_at)))
      due_at = allowedAt(due_at, given)
    }
    if (row.closes_at && due_at >= row.closes_at) break
    if (due_at <= now) continue
    others.push(due_at)
    taken.add(dayIn(due_at))
    planned.push({
      ...{ tenant_id, occurrence_id, kind: 'reminder', seq: index + 1, channel },
      ...{ due_at, next_attempt_at: due_at },
    })
  }
  return planned
}

type Learner = Selectable<
  DB['occurrences'] & Pick<DB['members'], 'user_id' | 'joined_at'> & Pick<DB['users'], 'timezone'>
>

/** Omits occurrences of journeys without a reminder policy. */
async function readReminded({ db }: Scope, sent: readonly Sent[]) {
  // Of two messages of the same lift, the first counts.
  const byTime = sent.toSorted((one, other) => other.sent_at.getTime() - one.sent_at.getTime())
  const sentAt = new Map(byTime.map((one) => [one.occurrence_id, one.sent_at]))
  const rows = await db
    .selectFrom(
      sql<Learner>`(select o.*, m.user_id, m.joined_at, u.timezone
      from ${occurrences([...sentAt.keys()])}
        cross join lateral (select * from members where id = o.member_id offset 0) m
        cross join lateral (select timezone from users where id = m.user_id offset 0) u)`.as('o'),
    )
    .innerJoin('journeys as j', 'j.id', 'o.journey_id')
    .innerJoin('tenants as t', 't.id', 'o.tenant_id')
    .leftJoin('sub_tenants as s', 's.id', 'j.sub_tenant_id')
    .select([
      'o.tenant_id',
      'o.id as occurrence_id',
      'j.reminder_policy',
      'j.send_days',
      'j.default_send_time',
    ])
    .select(['o.member_id', 'o.user_id', 'o.joined_at', 't.timezone as tenant_zone', 'o.closes_at'])
    .select(['t.settings', 's.settings as sub_tenant_settings'])
    .select((eb) => eb.fn.coalesce('o.timezone', 's.timezone').as('zone'))
    .where(sql<boolean>`j.reminder_policy <> '[]'`)
    .orderBy('o.id')
    .execute()
  return rows.flatMap((row) => {
    const sent_at = sentAt.get(row.occurrence_id)
    const policy = Journey.shape.reminder_policy.parse(row.reminder_policy)
    return sent_at ? [{ ...row, sent_at, policy }] : []
  })
}
type Reminded = Awaited<ReturnType<typeof readReminded>>[number]

const givenOf = (row: Reminded): PlanInput => ({
  rule: { kind: 'manual', at_launch: false },
  closes_after_hours: null,
  channel: 'email',
  journey: {
    start_on: null,
    launched_at: row.sent_at,
    timezone_mode: 'recipient',
    timezone: row.tenant_zone,
    default_send_time: row.default_send_time.slice(0, 5),
    send_days: row.send_days,
  },
  member: { id: row.member_id, zone: row.zone, joined_at: row.joined_at },
  tenant_zone: row.tenant_zone,
  settings: settingsInForce(row.settings, row.sub_tenant_settings),
  now: row.sent_at,
})

/** The times of these people's reminders, by user id. */
async function listReminders({ db }: Pick<Scope, 'db'>, people: readonly Reminded[]) {
  const reminders = new Map(people.map(({ user_id }): [number, Date[]] => [user_id, []]))
  const { rows } = await sql<{ user_id: number; due_at: Date }>`
    select person.id as user_id, d.due_at from unnest(${[...reminders.keys()]}::bigint[]) as person (id)
      cross join lateral (select id from members where user_id = person.id offset 0) m
      cross join lateral (select id from occurrences where member_id = m.id offset 0) o
      cross join lateral (select due_at from dispatches where occurrence_id = o.id and kind = 'reminder'
        and state not in ('suppressed', 'expired', 'failed') and due_at > scope_now() - interval '1 day' offset 0) d`.execute(
    db,
  )
  for (const { user_id, due_at } of rows) reminders.get(user_id)?.push(due_at)
  return reminders
}

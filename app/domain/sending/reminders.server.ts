/** Reminders: planned when a lift's message was accepted; whether one still leaves is asked when it is due. */
import { sql } from 'kysely'
import { nowIn } from '../clock.server.ts'
import { Journey } from '../journeys/journey.ts'
import type { PlanInput } from '../planning/plan-input.ts'
import { allowedAt, dayOf } from '../planning/planner.ts'
import { settingsInForce } from '../quiet-hours.ts'
import type { Scope } from '../scope.server.ts'

const DAY = 86_400_000

/** For reminders whose time is still to come: a message found late may have been reminded of before. Idempotent. */
export async function planReminders(scope: Scope, occurrenceId: number, sent_at: Date): Promise<void> {
  const { actor, db } = scope
  const row = await db
    .selectFrom('occurrences as o')
    .innerJoin('journeys as j', 'j.id', 'o.journey_id')
    .innerJoin('members as m', 'm.id', 'o.member_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('tenants as t', 't.id', 'o.tenant_id')
    .leftJoin('sub_tenants as s', 's.id', 'j.sub_tenant_id')
    .select(['j.reminder_policy', 'j.send_days', 'j.default_send_time', 'm.id as member_id', 'm.user_id'])
    .select(['m.joined_at', 't.timezone as tenant_zone', 'o.closes_at'])
    .select(['t.settings', 's.settings as sub_tenant_settings'])
    .select((eb) => eb.fn.coalesce('u.timezone', 's.timezone').as('zone'))
    .where('o.id', '=', occurrenceId)
    .executeTakeFirst()
  const policy = Journey.shape.reminder_policy.parse(row?.reminder_policy ?? [])
  if (!row || policy.length === 0) return
  const given = {
    rule: { kind: 'manual', at_launch: false },
    closes_after_hours: null,
    channel: 'email',
    journey: {
      start_on: null,
      launched_at: sent_at,
      timezone_mode: 'recipient',
      timezone: row.tenant_zone,
      default_send_time: row.default_send_time.slice(0, 5),
      send_days: row.send_days,
    },
    member: { id: row.member_id, zone: row.zone, joined_at: row.joined_at },
    tenant_zone: row.tenant_zone,
    settings: settingsInForce(row.settings, row.sub_tenant_settings),
    now: sent_at,
  } satisfies PlanInput
  const zone = row.zone ?? row.tenant_zone
  const now = nowIn(scope)
  const days = await remindedDays({ db }, row.user_id, zone)
  for (const [index, { after_hours, channel }] of policy.entries()) {
    let due_at = allowedAt(new Date(sent_at.getTime() + after_hours * 3_600_000), given)
    while (days.has(dayOf(due_at, zone))) due_at = allowedAt(new Date(due_at.getTime() + DAY), given)
    if (row.closes_at && due_at >= row.closes_at) break
    if (due_at <= now) continue
    days.add(dayOf(due_at, zone))
    await db
      .insertInto('dispatches')
      .values({
        tenant_id: actor.tenant_id,
        occurrence_id: occurrenceId,
        kind: 'reminder',
        seq: index + 1,
        channel,
        due_at,
        next_attempt_at: due_at,
      })
      .onConflict((clash) => clash.doNothing())
      .execute()
  }
}

async function remindedDays({ db }: Pick<Scope, 'db'>, userId: number, zone: string): Promise<Set<string>> {
  const { rows } = await sql<{ due_at: Date }>`
    select d.due_at from dispatches d join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
      join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
    where m.user_id = ${userId} and d.kind = 'reminder' and d.state not in ('suppressed', 'expired', 'failed')
      and d.due_at > scope_now() - interval '1 day'`.execute(db)
  return new Set(rows.map(({ due_at }) => dayOf(due_at, zone)))
}

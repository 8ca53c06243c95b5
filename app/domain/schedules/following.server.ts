/** Lifts that wait for another one: planned for a person when that one is completed. */
import { sql } from 'kysely'
import { writeFact } from '../analytics/facts.server.ts'
import { Journey } from '../journeys/journey.ts'
import type { Scope } from '../scope.server.ts'
import { listLearners } from './learners.server.ts'
import { planLift } from './planner.ts'
import { wakeSender } from './planning.server.ts'
import { ScheduleRule } from './schedule.ts'

type Completed = { journey_id: number; lift_id: number; member_id: number }

export async function planFollowers(scope: Scope, turn: Completed, completed_at: Date): Promise<void> {
  const { actor, db } = scope
  const waiting = await db
    .selectFrom('occurrences as o')
    .innerJoin('lifts as l', 'l.id', 'o.lift_id')
    .select(['o.id', 'l.id as lift_id', 'l.position', 'l.schedule', 'l.closes_after_hours'])
    .select(
      sql<
        number | null
      >`(select p.id from lifts p where p.journey_id = l.journey_id and p.position < l.position
        and p.status = 'ready' order by p.position desc limit 1)`.as('previous_id'),
    )
    .where('o.member_id', '=', turn.member_id)
    .where('o.state', '=', 'planned')
    .where('o.due_at', 'is', null)
    .execute()
  const due = waiting.filter(({ schedule, previous_id }) => {
    const rule = ScheduleRule.parse(schedule)
    if (rule.kind === 'after_lift') return rule.lift_id === turn.lift_id
    return rule.kind === 'offset' && rule.from === 'previous_lift_completed' && previous_id === turn.lift_id
  })
  if (due.length === 0) return

  const stored = await db
    .selectFrom('journeys')
    .selectAll()
    .where('id', '=', turn.journey_id)
    .executeTakeFirstOrThrow()
  const journey = { ...stored, channels: Journey.shape.channels.parse(stored.channels) }
  const [learner] = await listLearners(scope, journey, [turn.member_id])
  const tenant = await db
    .selectFrom('tenants')
    .select('timezone')
    .where('id', '=', actor.tenant_id)
    .executeTakeFirstOrThrow()
  if (!learner) return
  for (const { id, schedule, closes_after_hours } of due) {
    const plan = planLift({
      rule: ScheduleRule.parse(schedule),
      closes_after_hours,
      journey: {
        start_on: stored.start_on,
        launched_at: stored.launched_at ?? completed_at,
        timezone_mode: stored.timezone_mode === 'journey' ? 'journey' : 'recipient',
        timezone: stored.timezone,
        default_send_time: stored.default_send_time.slice(0, 5),
        send_days: stored.send_days,
      },
      member: learner,
      tenant_zone: tenant.timezone,
      channel: learner.channel,
      awaited_at: completed_at,
      now: completed_at,
    })
    if (!plan.due_at || !plan.send_at) continue
    await db
      .updateTable('occurrences')
      .set({
        due_at: plan.due_at,
        planned_local: plan.planned_local,
        zone: plan.zone,
        closes_at: plan.closes_at,
      })
      .where('id', '=', id)
      .execute()
    await db
      .insertInto('dispatches')
      .values({
        tenant_id: actor.tenant_id,
        occurrence_id: id,
        kind: 'lift',
        channel: learner.channel,
        due_at: plan.send_at,
        next_attempt_at: plan.send_at,
      })
      .execute()
    await writeFact(scope, id)
  }
  await wakeSender(scope)
}

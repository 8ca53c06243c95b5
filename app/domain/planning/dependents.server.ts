/** Lifts that wait for another one: planned for a person when they complete that one. */
import { sql } from 'kysely'
import { ScheduleRule } from '../lifts/schedule-rule.ts'
import { NEVER } from '../occurrences/settled.server.ts'
import { LIFT_BEFORE } from '../occurrences/waits-in-vain.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { listLearners } from './learners.server.ts'
import { draftOccurrences, wakeSender } from './plan.server.ts'
import { readPlannedJourney } from './planned-journey.server.ts'

type Completed = { journey_id: number; lift_id: number; member_id: number }

/** Tenant-wide: the learner may be in another sub-tenant than the journey. Returns the occurrences whose facts change. */
export async function planFollowers(
  scope: Scope,
  occurrence: Completed,
  completed_at: Date,
): Promise<number[]> {
  const due = await findFollowers(scope, occurrence)
  if (due.length === 0) return []

  const stored = await readPlannedJourney(scope, occurrence.journey_id)
  const journey = { ...stored, launched_at: stored.launched_at ?? completed_at.toISOString() }
  const [learner] = await listLearners(scope, journey, [occurrence.member_id])
  if (!learner) return []
  const planned: number[] = []
  const terms = { past: 'one_a_day', now: completed_at } as const
  for (const { lift_id, plan } of await draftOccurrences(scope, journey, due, [learner], terms)) {
    const id = due.find((lift) => lift.id === lift_id)?.occurrence_id
    const { due_at, send_at } = plan
    if (!id || !due_at || !send_at) continue
    await scope.db
      .updateTable('occurrences')
      .set({
        due_at,
        planned_local: plan.planned_local,
        zone: plan.zone,
        closes_at: plan.closes_at,
        shifted: plan.shifted,
        planned_on: completed_at,
      })
      .where('id', '=', id)
      .execute()
    await scope.db
      .insertInto('dispatches')
      .values({
        tenant_id: scope.actor.tenant_id,
        occurrence_id: id,
        kind: 'lift',
        channel: learner.channel,
        due_at: send_at,
        next_attempt_at: journey.status === 'paused' ? NEVER : send_at,
      })
      .execute()
    planned.push(id)
  }
  await wakeSender(scope)
  return planned
}

/** Occurrences without a day whose rule names the completed lift. */
async function findFollowers({ db }: Scope, { lift_id: completed, member_id }: Completed) {
  const waiting = await db
    .selectFrom('occurrences as o')
    .innerJoin('lifts as l', 'l.id', 'o.lift_id')
    .select(['o.id', 'l.id as lift_id', 'l.position', 'l.schedule', 'l.closes_after_hours'])
    .select(sql<number | null>`${LIFT_BEFORE}`.as('previous_id'))
    .where('o.member_id', '=', member_id)
    .where('o.state', 'in', ['planned', 'held'])
    .where('o.due_at', 'is', null)
    .execute()
  return waiting.flatMap(({ id, lift_id, schedule, previous_id, ...lift }) => {
    const rule = ScheduleRule.parse(schedule)
    const follows =
      rule.kind === 'after_lift'
        ? rule.lift_id === completed
        : rule.kind === 'offset' && rule.from === 'previous_lift_completed' && previous_id === completed
    return follows ? [{ ...lift, id: lift_id, occurrence_id: id, schedule: rule, version: 0 }] : []
  })
}

/** A journey and its lifts for planning, readable for every actor: an author, a learner who answers, the system. */
import { Journey } from '../journeys/journey.ts'
import { ScheduleRule } from '../lifts/schedule-rule.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { PlannedJourney, PlannedLift } from './plan.server.ts'

export type StoredJourney = PlannedJourney &
  Pick<Journey, 'name' | 'sub_tenant_id' | 'channels' | 'grace_days'> & { lift_count: number }

export async function readPlannedJourney({ db }: Scope, id: number): Promise<StoredJourney> {
  const stored = await db.selectFrom('journeys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return {
    ...stored,
    status: Journey.shape.status.parse(stored.status),
    channels: Journey.shape.channels.parse(stored.channels),
    launched_at: stored.launched_at?.toISOString() ?? null,
    timezone_mode: Journey.shape.timezone_mode.parse(stored.timezone_mode),
    late_joiners: Journey.shape.late_joiners.parse(stored.late_joiners),
    default_send_time: stored.default_send_time.slice(0, 5),
  }
}

export async function readPlannedLifts({ db }: Scope, ids: readonly number[]): Promise<PlannedLift[]> {
  const rows = await db
    .selectFrom('lifts')
    .select(['id', 'position', 'schedule', 'closes_after_hours', 'version'])
    .where('id', 'in', ids.length > 0 ? ids : [0])
    .where('status', '=', 'ready')
    .execute()
  return rows.map((row) => ({ ...row, schedule: ScheduleRule.parse(row.schedule) }))
}

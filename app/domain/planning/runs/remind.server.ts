/** Plans manual reminders of a lift for those of these learners who have not answered it. */
import { readClockAndHours } from '../../journeys/clock-and-hours.server.ts'
import { isRunning } from '../../journeys/journey-status.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { channelOf } from '../learners.server.ts'
import { wakeSender } from '../plan.server.ts'
import type { StoredJourney } from '../planned-journey.server.ts'
import { fatesIn, isLeaving } from '../reminders/reminder-fates.server.ts'
import { selectUnanswered } from '../reminders/unanswered-learners.server.ts'

/** Returns the number of reminders; none once the journey is paused or over. */
export async function remindOf(
  scope: Scope,
  journey: StoredJourney,
  liftId: number,
  memberIds: readonly number[],
): Promise<number> {
  if (!isRunning(journey.status)) return 0
  const { fateOf, dueAt } = await fatesIn(scope, journey)
  const { tenant_zone } = await readClockAndHours(scope, journey.id)
  const found = await selectUnanswered(scope, { ...journey, tenant_zone }, liftId, memberIds).execute()
  const reminders = found.flatMap((one) => {
    const fate = fateOf(one)
    if (!isLeaving(fate)) return []
    const { occurrence_id, seq } = one
    const [due_at, channel] = [dueAt(fate, one.zone, one.member_id), channelOf(journey, one.is_texted)]
    const { tenant_id } = scope.actor
    return [{ tenant_id, occurrence_id, kind: 'reminder', seq, channel, due_at, next_attempt_at: due_at }]
  })
  if (reminders.length === 0) return 0
  await scope.db
    .insertInto('dispatches')
    .values(reminders)
    .onConflict((clash) => clash.doNothing())
    .execute()
  await wakeSender(scope)
  return reminders.length
}

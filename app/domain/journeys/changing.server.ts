/** Changing a journey's settings: in a running one, what has not left is planned anew. */
import { listLifts } from '../lifts/lifts.server.ts'
import { listLearners } from '../schedules/learners.server.ts'
import { planTurns, unplan } from '../schedules/planning.server.ts'
import { applyChanges } from '../schedules/preview.server.ts'
import type { Scope } from '../scope.server.ts'
import { isRunning, type Journey, type JourneyChange } from './journey.ts'
import { getJourney, updateJourney } from './journeys.server.ts'

export async function changeJourney(scope: Scope, id: number, change: JourneyChange): Promise<Journey> {
  const before = await getJourney(scope, id)
  const journey = await updateJourney(scope, id, change)
  if (!isRunning(journey.status)) return journey
  const lifts = await listLifts(scope, id)
  const { start_on, timezone_mode, timezone, default_send_time, send_days } = journey
  const draft = { start_on, timezone_mode, timezone, default_send_time, send_days: [...send_days] }
  const { changed } = applyChanges(before, lifts, { journey: draft as never })
  if (changed.size === 0) return journey
  for (const lift of lifts) await unplan(scope, lift.id)
  const ready = lifts.filter((lift) => lift.status === 'ready')
  await planTurns(scope, journey, ready, await listLearners(scope, journey), 'skip')
  return journey
}

import type { Journey, JourneyChange } from '../journeys/journey.ts'
import { isUnderWay } from '../journeys/journey-status.ts'
import { getJourney, updateJourney } from '../journeys/journeys.server.ts'
import { listLifts } from '../lifts/lifts.server.ts'
import { applyChanges } from '../planning/preview/draft-changes.ts'
import { replan } from '../planning/replan.server.ts'
import type { Scope } from '../scope/scope.server.ts'

export async function changeJourney(scope: Scope, id: number, change: JourneyChange): Promise<Journey> {
  const before = await getJourney(scope, id)
  const journey = await updateJourney(scope, id, change)
  if (!isUnderWay(journey.status)) return journey
  const lifts = await listLifts(scope, id)
  const { start_on, timezone_mode, timezone, default_send_time, send_days, channels } = change
  const draft = { start_on, timezone_mode, timezone, default_send_time, send_days, channels }
  const { changed } = applyChanges(before, lifts, { journey: draft })
  if (changed.size > 0) await replan(scope, journey, lifts)
  return journey
}

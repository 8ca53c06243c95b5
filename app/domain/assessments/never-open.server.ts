/** Assessments that nobody could fill in if their journey were launched now. */

import { nextAllowed } from '../hours/next-allowed.ts'
import { readClockAndHours } from '../journeys/clock-and-hours.server.ts'
import type { Journey } from '../journeys/journey.ts'
import { listZones } from '../planning/learners.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { AssessmentRule } from './assessment.ts'
import { momentsOf } from './timing.ts'

export async function findNeverOpen(scope: Scope, journey: Journey): Promise<{ name: string }[]> {
  const rows = await scope.db
    .selectFrom('assessments')
    .select(['name', 'opens', 'closes'])
    .where('journey_id', '=', journey.id)
    .where('retired_on', 'is', null)
    .where('closes', 'is not', null)
    .orderBy('id')
    .execute()
  if (rows.length === 0) return []
  const now = nowIn(scope)
  const clock = await readClockAndHours(scope, journey.id)
  const zones = await listZones(scope, journey)
  const isOver = ({ opens, closes }: (typeof rows)[number], zone: string | null) => {
    const timing = {
      ...{ opens: AssessmentRule.parse(opens), closes: AssessmentRule.parse(closes) },
      ...{ journey: { ...journey, launched_at: now }, ...clock },
    }
    const { opens_at, closes_at } = momentsOf(timing, { zone, joined_at: now })
    const first = opens_at && opens_at > now ? opens_at : nextAllowed(now, { zone, ...clock, member_id: 0 })
    return closes_at !== null && closes_at <= first
  }
  // While there are no participants, by the company's clock.
  const clocks = zones.length > 0 ? zones : [null]
  return rows.filter((row) => clocks.every((zone) => isOver(row, zone)))
}

/** Lifts whose time is past for somebody when a journey is launched. */

import { addDays } from '../hours/wall-time.ts'
import { readClockAndHours } from '../journeys/clock-and-hours.server.ts'
import type { Journey } from '../journeys/journey.ts'
import type { Lift } from '../lifts/lift.ts'
import type { ScheduleRule } from '../lifts/schedule-rule.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { listZones } from './learners.server.ts'
import { planLift } from './planner.ts'

/** The time zone in which every day begins first. */
export const EASTERNMOST = 'Pacific/Kiritimati'

/** Before the launch learners differ only by time zone, as nobody has joined yet. */
export async function findPastLifts<Timed extends Pick<Lift, 'schedule'>>(
  scope: Scope,
  journey: Journey,
  ready: readonly Timed[],
): Promise<Timed[]> {
  const now = nowIn(scope)
  const soon = addDays(now.toISOString().slice(0, 10), 2)
  const timed = ready.filter(({ schedule }) => (earliestDay(schedule, journey.start_on, now) ?? soon) < soon)
  if (timed.length === 0) return []
  const clock = await readClockAndHours(scope, journey.id)
  const isPastIn = (lift: Timed, zone: string | null) => {
    const { due_at } = planLift({
      rule: lift.schedule,
      closes_after_hours: null,
      journey: { ...journey, launched_at: now },
      member: { id: 0, zone, joined_at: now },
      ...clock,
      channel: 'email',
      now,
    })
    return due_at !== null && due_at < now
  }
  const maybe = timed.filter((lift) => isPastIn(lift, EASTERNMOST))
  if (maybe.length === 0) return []
  const zones = await listZones(scope, journey)
  // While there are no participants, by the company's clock.
  const clocks = zones.length > 0 ? zones : [null]
  return maybe.filter((lift) => clocks.some((zone) => isPastIn(lift, zone)))
}

/** A lower bound of the rule's day in any zone; null if it names no day. Cheaper than planning. */
function earliestDay(rule: ScheduleRule, start_on: string | null, now: Date): string | null {
  const start = start_on ?? addDays(now.toISOString().slice(0, 10), -1)
  switch (rule.kind) {
    case 'absolute':
      return rule.date
    case 'offset':
      return rule.from === 'previous_lift_completed' ? null : addDays(start, rule.days)
    case 'weekly':
      return addDays(start, rule.week * 7 - 13)
    default:
      return null
  }
}

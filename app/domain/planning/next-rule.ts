/** The default rule for a new lift: a week after the one before. Pure. */

import { addDays } from '../hours/wall-time.ts'
import type { ScheduleRule } from '../lifts/schedule-rule.ts'
import { expectedDay } from './weeks.ts'

const WEEK = 7

/** A fixed day, or one counted from a known start of the journey, is later than `today`. */
export function nextRule(
  last: ScheduleRule | null,
  today: string,
  start_on: string | null = null,
): ScheduleRule {
  if (!last) return { kind: 'manual', at_launch: true }
  switch (last.kind) {
    case 'absolute':
      return { ...last, date: weekAfter(last.date, today) }
    case 'offset':
      if (last.from === 'previous_lift_completed') return last
      return laterThan(today, start_on, (weeks) => ({
        ...last,
        days: Math.min(730, last.days + weeks * WEEK),
      }))
    case 'weekly':
      return laterThan(today, start_on, (weeks) => ({ ...last, week: Math.min(104, last.week + weeks) }))
    case 'after_lift':
      return AFTER_THE_ONE_BEFORE
    case 'manual':
      if (!last.at_launch) return AFTER_THE_ONE_BEFORE
      return laterThan(today, start_on, (weeks) => ({ kind: 'offset', from: 'start', days: weeks * WEEK }))
  }
}

/** As many weeks after the previous lift as make its day lie in the future. */
function laterThan(
  today: string,
  start_on: string | null,
  after: (weeks: number) => ScheduleRule,
): ScheduleRule {
  const dayOf = (schedule: ScheduleRule) =>
    expectedDay({ schedule, counts: { first_due_at: null } }, { start_on, zone: 'UTC' })
  const next = after(1)
  const day = dayOf(next)
  if (day === null || day > today) return next
  const later = after(1 + weeksUntilAfter(day, today))
  return (dayOf(later) ?? '') > today ? later : AFTER_THE_ONE_BEFORE
}

/** The next future day on the same weekday, at least a week later. */
function weekAfter(date: string, today: string): string {
  const next = addDays(date, WEEK)
  return next > today ? next : addDays(next, weeksUntilAfter(next, today) * WEEK)
}

const weeksUntilAfter = (day: string, today: string): number =>
  Math.floor((Date.parse(today) - Date.parse(day)) / 86_400_000 / WEEK) + 1

/** For when the day of the previous lift is unknown. */
const AFTER_THE_ONE_BEFORE = { kind: 'offset', from: 'previous_lift_completed', days: WEEK } as const

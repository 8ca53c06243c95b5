/** When a further lift comes, unless its author says otherwise: a week after the one before. Pure. */

import { addDays } from '../hours/wall-time.ts'
import type { ScheduleRule } from '../lifts/schedule-rule.ts'

const WEEK = 7

/** `today`: a day that is named is after it. */
export function nextRule(last: ScheduleRule | null, today: string): ScheduleRule {
  if (!last) return { kind: 'manual', at_launch: true }
  switch (last.kind) {
    case 'absolute':
      return { ...last, date: weekAfter(last.date, today) }
    case 'offset':
      return last.from === 'previous_lift_completed'
        ? last
        : { ...last, days: Math.min(730, last.days + WEEK) }
    case 'weekly':
      return { ...last, week: Math.min(104, last.week + 1) }
    case 'after_lift':
      return AFTER_THE_ONE_BEFORE
    case 'manual':
      return last.at_launch ? { kind: 'offset', from: 'start', days: WEEK } : AFTER_THE_ONE_BEFORE
  }
}

/** On the same day of the week. */
function weekAfter(date: string, today: string): string {
  const next = addDays(date, WEEK)
  if (next > today) return next
  const days = (Date.parse(today) - Date.parse(next)) / 86_400_000
  return addDays(next, (Math.floor(days / WEEK) + 1) * WEEK)
}

/** Nobody knows the day of the one before. */
const AFTER_THE_ONE_BEFORE = { kind: 'offset', from: 'previous_lift_completed', days: WEEK } as const

/** When a further lift comes, unless its author says otherwise: a week after the one before. Pure. */

import { addDays } from '../hours/wall-time.ts'
import type { ScheduleRule } from '../lifts/schedule-rule.ts'

const WEEK = 7

export function nextRule(last: ScheduleRule | null): ScheduleRule {
  if (!last) return { kind: 'manual', at_launch: true }
  switch (last.kind) {
    case 'absolute':
      return { ...last, date: addDays(last.date, WEEK) }
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

/** Nobody knows the day of the one before. */
const AFTER_THE_ONE_BEFORE = { kind: 'offset', from: 'previous_lift_completed', days: WEEK } as const

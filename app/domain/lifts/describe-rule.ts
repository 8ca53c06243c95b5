import { dayInWords, timeOfDay } from '../text/date-format.ts'
import type { ScheduleRule } from './schedule-rule.ts'

const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`
export const atTime = (time: string | null | undefined) => (time ? ` at ${timeOfDay(time)}` : '')
const AT_ONCE = {
  start: 'On the first day',
  joined: 'On the day of joining',
  previous_lift_completed: 'On the day the lift before is completed',
}
const FROM = { start: 'the start', joined: 'joining', previous_lift_completed: 'completing the lift before' }

/** The schedule rule of a lift in words, for the timeline. */
export function describeRule(rule: ScheduleRule): string {
  switch (rule.kind) {
    case 'absolute':
      return `On ${dayInWords(rule.date)}${atTime(rule.time)}`
    case 'offset':
      return `${rule.days === 0 ? AT_ONCE[rule.from] : `${plural(rule.days, 'day')} after ${FROM[rule.from]}`}${atTime(rule.time)}`
    case 'weekly':
      return `Week ${rule.week}, ${rule.weekday}${atTime(rule.time)}`
    case 'after_lift':
      return `${plural(rule.min_hours, 'hour')} after an earlier lift is completed`
    case 'manual':
      return rule.at_launch ? 'At launch' : 'Manually'
  }
}

/** A schedule rule as its form sends it: the kind of rule, and the fields of that kind. */
import { z } from 'zod'
import { PlanDay, WallTime, WEEKDAYS } from '../hours/wall-time.ts'
import { RULE_NUMBERS, type ScheduleRule } from './schedule-rule.ts'

const WHEN = [
  'launch',
  'date',
  'after_start',
  'after_joining',
  'after_previous',
  'weekly',
  'after_lift',
  'by_hand',
] as const

export const ruleFields = {
  when: z.enum(WHEN),
  date: PlanDay.optional(),
  days: RULE_NUMBERS.days.optional(),
  time: WallTime.optional(),
  week: RULE_NUMBERS.week.optional(),
  weekday: z.enum(WEEKDAYS).optional(),
  after_lift_id: z.number().int().positive().optional(),
  min_hours: RULE_NUMBERS.min_hours.optional(),
}
const RuleForm = z.object(ruleFields)
type RuleForm = z.infer<typeof RuleForm>

/** Each kind of rule requires its own fields. */
export function checkRule(form: RuleForm, problem: (path: string, message: string) => void): void {
  if (form.when === 'date' && !form.date) problem('date', 'Please enter a date')
  if (form.when === 'weekly' && !form.week) problem('week', 'Please enter a week')
  if (form.when === 'weekly' && !form.weekday) problem('weekday', 'Please choose a day')
  if (form.when === 'after_lift' && !form.after_lift_id) problem('after_lift_id', 'Please choose a lift')
  if (FROM[form.when] && form.days === undefined) problem('days', 'Please enter a number of days')
}

/** What the days are counted from. */
const FROM: Partial<Record<RuleForm['when'], 'start' | 'joined' | 'previous_lift_completed'>> = {
  after_start: 'start',
  after_joining: 'joined',
  after_previous: 'previous_lift_completed',
}

export function ruleOf({
  when,
  date,
  days,
  time,
  week,
  weekday,
  after_lift_id,
  min_hours,
}: RuleForm): ScheduleRule | null {
  switch (when) {
    case 'launch':
      return { kind: 'manual', at_launch: true }
    case 'by_hand':
      return { kind: 'manual', at_launch: false }
    case 'date':
      return date ? { kind: 'absolute', date, time: time ?? '09:00' } : null
    case 'after_start':
    case 'after_joining':
    case 'after_previous':
      return { kind: 'offset', from: FROM[when] ?? 'start', days: days ?? 0, time: time ?? null }
    case 'weekly':
      return week && weekday ? { kind: 'weekly', week, weekday, time: time ?? null } : null
    case 'after_lift':
      return after_lift_id ? { kind: 'after_lift', lift_id: after_lift_id, min_hours: min_hours ?? 0 } : null
  }
}

export function whenOf(rule: ScheduleRule = { kind: 'manual', at_launch: true }): WhenFields {
  switch (rule.kind) {
    case 'manual':
      return { when: rule.at_launch ? 'launch' : 'by_hand' }
    case 'absolute':
      return { when: 'date', date: rule.date, time: rule.time }
    case 'weekly':
      return { when: 'weekly', week: rule.week, weekday: rule.weekday, time: rule.time }
    case 'after_lift':
      return { when: 'after_lift', after_lift_id: String(rule.lift_id), min_hours: rule.min_hours }
    case 'offset': {
      const when = WHEN.find((one) => FROM[one] === rule.from) ?? 'after_start'
      return { when, days: rule.days, time: rule.time }
    }
  }
}

type WhenFields = {
  when: RuleForm['when']
  date?: string
  days?: number
  time?: string | null | undefined
  week?: number
  weekday?: string
  after_lift_id?: string
  min_hours?: number
}

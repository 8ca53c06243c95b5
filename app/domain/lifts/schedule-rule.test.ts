import { expect, it } from 'vitest'
import { z } from 'zod'
import { ScheduleRule } from './schedule-rule.ts'
import { ruleFields } from './schedule-rule-form.ts'

const RuleForm = z.object(ruleFields)

it.each([
  [{ days: -1 }, 'Please enter at least 0'],
  [{ days: 731 }, 'Please enter at most 730'],
  [{ days: 1.5 }, 'Please enter a whole number'],
  [{ week: 0 }, 'Please enter at least 1'],
  [{ min_hours: 1_000_000_000 }, 'Please enter at most 8,760'],
  [{ date: '0001-01-01' }, 'Please enter a date from 2000 to 2100'],
  [{ date: '9999-12-31' }, 'Please enter a date from 2000 to 2100'],
])('A schedule rule with %j is refused with the limit', (field, message) => {
  const { error } = RuleForm.safeParse({ when: 'after_start', ...field })
  expect(error?.issues.map((issue) => issue.message)).toEqual([message])
})

it('A schedule rule gets no values for fields that its form leaves out', () => {
  expect(RuleForm.parse({ when: 'launch' })).toEqual({ when: 'launch' })
  const rule = { kind: 'offset', from: 'start', days: 1.5 }
  expect(ScheduleRule.safeParse(rule).error?.issues[0]?.message).toBe('Please enter a whole number')
})

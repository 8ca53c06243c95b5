/** The changes that an author tries out before saving, as their form sends them. */
import { z } from 'zod'
import { WallTime, WEEKDAYS } from '#app/domain/hours/wall-time.ts'
import { checkRule, ruleFields, ruleOf } from '#app/domain/lifts/schedule-rule-form.ts'
import type { DraftChanges } from './preview.ts'

const { when, ...rule } = ruleFields

/** Empty fields stay as they are. */
export const WhatIfForm = z
  .object({
    start_on: z.iso.date('Please enter a date').optional(),
    default_send_time: WallTime.optional(),
    send_days: z.array(z.enum(WEEKDAYS)).default([]),
    quiet_from: WallTime.optional(),
    quiet_to: WallTime.optional(),
    /** The lift whose rule would change. */
    change: z.number().int().positive().optional(),
    when: when.default('date'),
    ...rule,
  })
  .superRefine((form, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (form.change) checkRule(form, problem)
    if (form.change && form.when === 'after_lift' && form.after_lift_id === form.change)
      problem('after_lift_id', 'A lift cannot wait for itself.')
    if (form.quiet_from && !form.quiet_to) problem('quiet_to', 'Please enter a time')
    if (form.quiet_to && !form.quiet_from) problem('quiet_from', 'Please enter a time')
  })
export type WhatIfForm = z.infer<typeof WhatIfForm>

export function changesOf(form: WhatIfForm): DraftChanges {
  const { start_on, default_send_time, send_days, quiet_from, quiet_to, change } = form
  const schedule = change ? ruleOf(form) : null
  return {
    journey: {
      ...(start_on && { start_on }),
      ...(default_send_time && { default_send_time }),
      ...(send_days.length > 0 && { send_days }),
    },
    ...(quiet_from && quiet_to && { quiet_hours: { from: quiet_from, to: quiet_to } }),
    ...(change && schedule && { lifts: [{ lift_id: change, schedule }] }),
  }
}

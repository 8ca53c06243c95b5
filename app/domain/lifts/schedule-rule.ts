/** When a lift reaches a learner: the rule an author writes. `time` is wall-clock. */

import { z } from 'zod'
import { PlanDay, WallTime, WEEKDAYS } from '../hours/wall-time.ts'
import { wholeNumber } from '../text/whole-number.ts'

/** The allowed distance between a lift and what it is counted from. */
const numbersOf = <Number extends z.ZodNumber | z.ZodCoercedNumber>(number: Number) => ({
  days: wholeNumber(number, 0, 730),
  week: wholeNumber(number, 1, 104),
  min_hours: wholeNumber(number, 0, 8760),
})
export const RULE_NUMBERS = numbersOf(z.number('Please enter a number'))
const { days, week, min_hours } = numbersOf(z.coerce.number('Please enter a number'))

/** `manual` waits for a person; with `at_launch` it comes with the launch, at the journey's usual time or at once. */
export const ScheduleRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('absolute'), date: PlanDay, time: WallTime }),
  z.strictObject({
    kind: z.literal('offset'),
    from: z.enum(['start', 'joined', 'previous_lift_completed']),
    days,
    time: WallTime.nullish(),
  }),
  z.strictObject({
    kind: z.literal('weekly'),
    week,
    weekday: z.enum(WEEKDAYS),
    time: WallTime.nullish(),
  }),
  z.strictObject({
    kind: z.literal('after_lift'),
    lift_id: z.coerce.number().int().positive(),
    min_hours,
  }),
  z.strictObject({ kind: z.literal('manual'), at_launch: z.boolean().default(true) }),
])
export type ScheduleRule = z.infer<typeof ScheduleRule>

import { z } from 'zod'
import { Pagination, pageQuery } from '#app/domain/page.ts'
import { Journey, LaunchProblem } from '../journeys/journey.ts'
import { Lift } from '../lifts/lift.ts'
import { ScheduleRule } from '../lifts/schedule-rule.ts'

export const LiftCounts = z.object({
  assigned: z.number().int(),
  /** Have not had it yet. */
  pending: z.number().int(),
  accepted: z.number().int(),
  /** Nobody knows whether they arrived. */
  unknown: z.number().int(),
  failed: z.number().int(),
  opened: z.number().int(),
  responded: z.number().int(),
  completed: z.number().int(),
  first_due_at: z.string().nullable(),
})
export type LiftCounts = z.infer<typeof LiftCounts>

export const TimelineQuery = pageQuery(['position'])
  .pick({ per_page: true })
  .extend({
    /** Without it, the page on which `lift` stands, or the first. */
    page: pageQuery(['position']).shape.page.unwrap().optional(),
    lift: z.coerce.number().int().positive().optional(),
    /** Says what a launch would send: with what is past, or without. */
    launch: z.enum(['send', 'skip']).optional(),
  })
export type TimelineQuery = z.infer<typeof TimelineQuery>

const TimelineLift = Lift.omit({
  blocks: true,
  prompts: true,
  sms_text: true,
  email_subject: true,
  objective_ids: true,
}).extend({
  prompts: z.number().int(),
  counts: LiftCounts,
  /** Occurrences of a running journey that came too late and wait for a person. */
  held: z.number().int(),
  /** Its messages, reminders too, of which nobody knows whether they arrived. */
  unknown_messages: z.number().int(),
})
export type TimelineLift = z.infer<typeof TimelineLift>

/** What a launch that sends now would send now, as messages; `texts_waiting` for the end of the quiet hours. */
export const LaunchForecast = z.object({
  /** Whom one of them is for, some of them asleep. */
  learners: z.number().int(),
  emails: z.number().int(),
  texts: z.number().int(),
  texts_waiting: z.number().int(),
  in_app: z.number().int(),
  asleep: z.number().int(),
  /** Learners of a journey by text who get none: nobody knows their number, or they have not agreed to texts. */
  without_number: z.number().int(),
  without_consent: z.number().int(),
  /** Of very many learners, some stand for all: the numbers are about right. */
  is_estimate: z.boolean(),
})
export type LaunchForecast = z.infer<typeof LaunchForecast>

export const Timeline = z.object({
  journey: Journey,
  lifts: z.array(TimelineLift),
  pagination: Pagination,
  learners: z.number().int(),
  quiet_hours: z.object({ from: z.string(), to: z.string() }),
  problems: z.array(LaunchProblem),
  /** How many of its people have their plan, while the others are still to be planned. */
  planning: z.object({ people: z.number().int(), done: z.number().int() }).nullable(),
  past_lifts: z.array(z.object({ id: z.number().int(), title: z.string() })),
  /** Nothing that keeps a draft from its launch, but worth knowing. */
  warnings: z.array(z.object({ lift_id: z.number().int(), message: z.string() })),
  /** Of a draft, how many ready lifts go out with the launch. */
  at_launch: z.number().int(),
  /** Where it was asked for, of a draft that may be launched. */
  forecast: LaunchForecast.nullable(),
  next_rule: ScheduleRule,
})
export type Timeline = z.infer<typeof Timeline>

import { z } from 'zod'
import { Pagination, pageQuery } from '#app/domain/page.ts'
import { Journey, LaunchProblem } from '../journeys/journey.ts'
import { Lift } from '../lifts/lift.ts'
import { ScheduleRule } from '../lifts/schedule-rule.ts'

export const LiftCounts = z.object({
  assigned: z.number().int(),
  /** Learners who have not had it yet. */
  pending: z.number().int(),
  accepted: z.number().int(),
  /** Delivery unknown. */
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
    /** Without it, the page that contains `lift`, or the first. */
    page: pageQuery(['position']).shape.page.unwrap().optional(),
    lift: z.coerce.number().int().positive().optional(),
    /** Adds the forecast of a launch: with past lifts (`send`) or without (`skip`). */
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
  /** Occurrences of a running journey that were delayed too long and wait for a person's decision. */
  held: z.number().int(),
  /** Messages with unknown delivery, reminders included. */
  unknown_messages: z.number().int(),
})
export type TimelineLift = z.infer<typeof TimelineLift>

/** The messages that a launch would send now; `texts_waiting` wait for the end of quiet hours. */
export const LaunchForecast = z.object({
  /** Recipients, including those in quiet hours. */
  learners: z.number().int(),
  emails: z.number().int(),
  texts: z.number().int(),
  texts_waiting: z.number().int(),
  in_app: z.number().int(),
  asleep: z.number().int(),
  /** Learners whose journey uses text messages but who get none: their number is unknown, or they have not agreed. */
  without_number: z.number().int(),
  without_consent: z.number().int(),
  /** Learners for whom the company’s time zone is used. */
  without_zone: z.number().int(),
  /** With very many learners, the numbers are estimated from a sample. */
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
  /** The progress of planning, while some people are still to be planned. */
  planning: z.object({ people: z.number().int(), done: z.number().int() }).nullable(),
  past_lifts: z.array(z.object({ id: z.number().int(), title: z.string() })),
  /** Not obstacles to the launch, but worth knowing. */
  warnings: z.array(z.object({ lift_id: z.number().int(), message: z.string() })),
  /** For a draft: the number of ready lifts sent with the launch. */
  at_launch: z.number().int(),
  /** Only on request, for a draft that can be launched. */
  forecast: LaunchForecast.nullable(),
  next_rule: ScheduleRule,
})
export type Timeline = z.infer<typeof Timeline>

/** The schedule preview: who gets which lift when, where and why, as stored or with draft changes. */
import { z } from 'zod'
import { SHIFTS, type Shift } from '#app/domain/hours/next-allowed.ts'
import { WallTime } from '#app/domain/hours/wall-time.ts'
import { CHANNELS } from '#app/domain/journeys/channel.ts'
import { JourneyInput } from '#app/domain/journeys/journey.ts'
import { LIFT_STATUSES } from '#app/domain/lifts/lift.ts'
import { ScheduleRule } from '#app/domain/lifts/schedule-rule.ts'

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date('Please enter a date')])
const who = {
  user_id: z.coerce.number().int().positive().optional(),
  /** The moment to look from; for a draft, that of the launch. A date means the present time of day, by the company's clock. */
  as_of: moment.optional(),
}

export const PreviewQuery = z.object(who)
export type PreviewQuery = z.infer<typeof PreviewQuery>

const { start_on, timezone_mode, timezone, default_send_time, send_days, channels } = JourneyInput.shape
const liftId = z.number().int().positive()

export const DraftChanges = z.strictObject({
  journey: z
    .strictObject({ start_on, timezone_mode, timezone, default_send_time, send_days, channels })
    .partial()
    .optional(),
  lifts: z
    .array(
      z.strictObject({
        lift_id: liftId,
        schedule: ScheduleRule.optional(),
        closes_after_hours: z.number().int().min(1).max(8760).nullable().optional(),
        status: z.enum(LIFT_STATUSES).optional(),
        /** Its content changes. */
        content: z.boolean().optional(),
      }),
    )
    .max(200)
    .optional(),
  /** A lift that would be added at the end, as ready. */
  added: z
    .strictObject({
      title: z.string().max(80),
      schedule: ScheduleRule,
      closes_after_hours: z.number().int().min(1).max(8760).nullable(),
    })
    .optional(),
  /** All lifts, in their new order. */
  order: z.array(liftId).max(500).optional(),
  /** The company's quiet hours, which it sets for all its journeys. */
  quiet_hours: z.strictObject({ from: WallTime, to: WallTime }).optional(),
})
export type DraftChanges = z.infer<typeof DraftChanges>

export const PreviewInput = z.strictObject({
  ...who,
  /** Null: of nobody, for the impact alone. */
  user_id: who.user_id.unwrap().nullish(),
  changes: DraftChanges.default({}),
})
export type PreviewInput = z.infer<typeof PreviewInput>

const Reason = z.object({
  code: z.enum([...SHIFTS, 'channel', 'number', 'waits', 'past', 'closes']),
  text: z.string(),
})
export type Reason = z.infer<typeof Reason>

export const PreviewEntry = z.object({
  user_id: z.number().int(),
  name: z.string(),
  lift_id: z.number().int(),
  title: z.string(),
  rule: z.string(),
  /** The time of the rule on the clock of `zone`, before any shift. */
  planned_local: z.string().nullable(),
  due_at: z.string().nullable(),
  send_at: z.string().nullable(),
  zone: z.string(),
  channel: z.enum(CHANNELS),
  /** `skipped`: its time is past; otherwise the state of the occurrence. */
  state: z.string(),
  is_past: z.boolean(),
  why: z.array(Reason),
})
export type PreviewEntry = z.infer<typeof PreviewEntry>

/** The effect of saving the changes on messages that have not left. */
export const Impact = z.object({
  moved: z.number().int(),
  kept: z.number().int(),
  /** Of those that are kept: not sent yet, with other content or another channel than before. */
  updated: z.number().int(),
  cancelled: z.number().int(),
  added: z.number().int(),
  /** With very many, the numbers are estimated from a sample. */
  is_estimate: z.literal(true).optional(),
})
export type Impact = z.infer<typeof Impact>

/** The numbers as one string, by which a confirmation says which ones were shown. */
export const keyOf = ({ moved, kept, updated, cancelled, added }: Impact): string =>
  [moved, kept, updated, cancelled, added].join('-')
/** Whether anything changes for anybody. */
export const changesSomething = ({ moved, updated, cancelled, added, is_estimate }: Impact): boolean =>
  // A change that the sample does not show may still affect others.
  is_estimate === true || moved + updated + cancelled + added > 0

export const Preview = z.object({
  as_of: z.string(),
  zone: z.string(),
  learners: z.number().int(),
  entries: z.array(PreviewEntry),
  left_off: z.number().int(),
  /** Null without changes, or if the journey is not running. */
  impact: Impact.nullable(),
})
export type Preview = z.infer<typeof Preview>

const SENTENCES: Record<Shift, string> = {
  clock_gap: 'Clocks spring forward and skip this time, so it moves later by as much.',
  clock_overlap: 'Clocks fall back and this time comes twice; the first one counts.',
  quiet_hours: 'Moved out of the recipient’s quiet hours.',
  send_days: 'Moved to the next day on which this journey sends.',
  jitter: 'Up to 20 minutes later, so that messages don’t all go out at the same time.',
  daily_cap: 'Moved to another day: a person gets one lift a day.',
  late: 'Its time had already passed when it was planned.',
  pause: 'Delayed by as long as the journey was paused.',
}
export const explainShift = (code: Shift): Reason => ({ code, text: SENTENCES[code] })

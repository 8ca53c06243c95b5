import { z } from 'zod'
import { pageQuery, pageSearch } from '#app/domain/page.ts'
import { TimeZone } from '#app/domain/tenants/timezone.ts'
import { line, REQUIRED, requiredLine, STORABLE } from '#app/domain/text/text.ts'
import { PlanDay, WallTime, WEEKDAYS } from '../hours/wall-time.ts'
import { SeenQuery } from '../optimistic-lock.ts'
import { wholeNumber } from '../text/whole-number.ts'
import { CHANNELS } from './channel.ts'
import { JOURNEY_STATUSES } from './journey-status.ts'

export const LATE_JOINERS = ['skip', 'one_a_day', 'todo_only'] as const
export const JOURNEY_ORDERS = ['date', 'name', 'status', 'category', 'author', 'start_on'] as const

const unique = <Item>(items: Item[]): Item[] => [...new Set(items)]
const description = z
  .string()
  .trim()
  .max(2000, 'Please use at most 2,000 characters')
  .regex(...STORABLE)

const fields = {
  name: requiredLine(120),
  description,
  category: requiredLine(80).nullable(),
  start_on: PlanDay.nullable(),
  timezone_mode: z.enum(['recipient', 'journey']),
  timezone: TimeZone,
  default_send_time: WallTime,
  send_days: z.array(z.enum(WEEKDAYS)).min(1, REQUIRED).transform(unique),
  channels: z.array(z.enum(CHANNELS)).min(1, REQUIRED).transform(unique),
  reminder_policy: z
    .array(z.strictObject({ after_hours: z.number().int().min(1).max(720), channel: z.enum(CHANNELS) }))
    .max(3, 'Please use at most 3 reminders'),
  late_joiners: z.enum(LATE_JOINERS),
  /** How long its lifts take answers after it was completed. */
  grace_days: wholeNumber(z.number('Please enter a number'), 0, 90),
}

export const JourneyInput = z.strictObject(fields).partial().extend({ name: fields.name })
export type JourneyInput = z.infer<typeof JourneyInput>

export const JourneyChange = z
  .strictObject(fields)
  .partial()
  .extend({ lock_version: z.coerce.number().int().min(0) })
export type JourneyChange = z.infer<typeof JourneyChange>

export const JourneyAuthor = z.object({ id: z.number().int(), name: z.string() })

export const JourneyRow = z.object({
  id: z.number().int(),
  sub_tenant_id: z.uuid().nullable(),
  name: z.string(),
  category: z.string().nullable(),
  status: z.enum(JOURNEY_STATUSES),
  author_id: z.number().int(),
  author: JourneyAuthor,
  start_on: z.string().nullable(),
  launched_at: z.string().nullable(),
  created_on: z.string(),
  updated_on: z.string(),
  lifts: z.number().int(),
  learners: z.number().int(),
  /** Whether the caller may edit it. */
  may_edit: z.boolean(),
  lock_version: z.number().int(),
})
export type JourneyRow = z.infer<typeof JourneyRow>

export const Journey = JourneyRow.extend({
  description: z.string(),
  /** Lifts sent with the launch left at once, not at the usual time. */
  launched_now: z.boolean(),
  timezone_mode: z.enum(['recipient', 'journey']),
  timezone: z.string(),
  default_send_time: z.string(),
  send_days: z.array(z.string()),
  channels: z.array(z.enum(CHANNELS)),
  reminder_policy: z.array(z.object({ after_hours: z.number(), channel: z.enum(CHANNELS) })),
  late_joiners: z.enum(LATE_JOINERS),
  grace_days: z.number().int(),
  /** Once it has ended: when its last lift stops taking answers. */
  answers_until: z.string().nullable(),
  content_version: z.number().int(),
  /** Incremented with each reordering of its lifts. */
  order_version: z.number().int(),
  source_journey_id: z.number().int().nullable(),
})
export type Journey = z.infer<typeof Journey>

/** One value or several, as from repeated keys of a query string. */
const many = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
    z.array(item).max(50),
  )

export const JourneyQuery = pageQuery(JOURNEY_ORDERS).extend({
  name: line(200).default(''),
  category: many(line(80)),
  author: many(z.coerce.number().int().positive()),
  status: many(z.enum(JOURNEY_STATUSES)),
})
export type JourneyQuery = z.infer<typeof JourneyQuery>

/** For search parameters: ignores invalid values and keeps the valid ones. */
const valid = <Value>(item: z.ZodType<Value>) =>
  z.array(z.unknown()).transform((values) => {
    const read = values.map((value) => item.safeParse(value))
    return read.flatMap(({ data, success }) => (success ? [data] : [])).slice(0, 50)
  })

export const JourneySearch = z.object({
  ...pageSearch(JOURNEY_ORDERS),
  name: line(200).catch(''),
  category: valid(requiredLine(80)),
  author: valid(z.coerce.number().int().positive()),
  status: valid(z.enum(JOURNEY_STATUSES)),
  create: z.stringbool().catch(false),
  edit: z.coerce.number().int().positive().optional().catch(undefined),
})
export type JourneySearch = z.infer<typeof JourneySearch>

export const JourneyChoices = z.object({
  data: z.array(z.object({ id: z.number().int(), name: z.string(), status: z.enum(JOURNEY_STATUSES) })),
  categories: z.array(z.string()),
  authors: z.array(JourneyAuthor),
  may_create: z.boolean(),
})
export type JourneyChoices = z.infer<typeof JourneyChoices>

export const LaunchInput = z.strictObject({
  /** Whether lifts whose time is past are skipped or sent now. */
  skip_past: z.boolean().optional(),
  /** Lifts sent with the launch leave now; otherwise at the journey's usual time in each learner's time zone. */
  send_now: z.boolean().default(false),
  /** The number of recipients that the launcher confirmed; if it has changed, the launch is refused. */
  expected_recipients: z.number().int().min(0).optional(),
})
/** As sent: fields that are left out get their defaults. */
export type LaunchChoice = z.input<typeof LaunchInput>

export const LaunchProblem = z.object({
  code: z.enum([
    'no_lift',
    'no_learner',
    'category',
    'past_lifts',
    'prompt',
    'message',
    'file',
    'waits',
    'assessment',
    'recipients',
    'status',
  ]),
  message: z.string(),
  lift_id: z.number().int().nullable(),
})
export type LaunchProblem = z.infer<typeof LaunchProblem>

export const AuthorChange = SeenQuery.extend({ author_id: z.number().int().positive() })
export type AuthorChange = z.infer<typeof AuthorChange>

/** What analytics answer. Every rate has its n and d; a d of zero is shown as "-". */
import { z } from 'zod'
import { PROMPT_KINDS, VISIBILITIES } from '../lifts/prompt.ts'
import { Pagination } from '../page.ts'
import { ANALYTICS_TYPES } from './rate.ts'

const id = z.coerce.number().int().positive()
const filters = { journey: id, user: id, lift: id, lift_id: id, prompt_id: id, lo_id: id }

export const AnalyticsQuery = z.object({
  ...z.object(filters).partial().shape,
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  as_of: z.iso.datetime({ offset: true }).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(20),
})
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>

/** The search parameters of /analytics; whatever is wrong becomes the default. */
const searched = id.optional().catch(undefined)
export const AnalyticsSearch = z.object({
  type: z.enum(ANALYTICS_TYPES).catch('overview'),
  journey: searched,
  user: searched,
  lift: searched,
  lift_id: searched,
  prompt_id: searched,
  lo_id: searched,
  q: z
    .string()
    .trim()
    .max(200)
    .regex(/^[^\0]*$/)
    .catch(''),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
})
export type AnalyticsSearch = z.infer<typeof AnalyticsSearch>

export const Rate = z.object({ n: z.number().int(), d: z.number().int() })
export type Rate = z.infer<typeof Rate>

/** `assigned` is the sum of `accepted`, `unknown` (nobody knows whether they arrived) and the four that were not. */
export const Counts = z.object({
  assigned: z.number().int(),
  accepted: z.number().int(),
  unknown: z.number().int(),
  suppressed: z.number().int(),
  failed: z.number().int(),
  expired: z.number().int(),
  pending: z.number().int(),
  delivered: z.number().int(),
  opened: z.number().int(),
  responded: z.number().int(),
  completed: z.number().int(),
})
export type Counts = z.infer<typeof Counts>

export const Figures = z.object({
  counts: Counts,
  coverage: Rate,
  delivery: Rate,
  open: Rate,
  response: Rate,
  completion: Rate,
})
export type Figures = z.infer<typeof Figures>

type Counted = Counts & { opened_and_delivered: number }

export function figuresOf({ opened_and_delivered, ...counts }: Counted): Figures {
  return {
    counts,
    coverage: { n: counts.accepted, d: counts.assigned },
    delivery: { n: counts.delivered, d: counts.accepted },
    open: { n: opened_and_delivered, d: counts.delivered },
    response: { n: counts.responded, d: counts.assigned },
    completion: { n: counts.completed, d: counts.assigned },
  }
}

export const Overview = Figures.extend({
  as_of: z.string(),
  learners: z.number().int(),
  journeys: z.number().int(),
  lifts: z.number().int(),
})
export type Overview = z.infer<typeof Overview>

export const UserFigures = Figures.extend({
  user_id: z.number().int(),
  name: z.string(),
  last_activity: z.string().nullable(),
})
export const ByUser = z.object({ as_of: z.string(), data: z.array(UserFigures), pagination: Pagination })
export type ByUser = z.infer<typeof ByUser>

export const PromptFigures = z.object({
  prompt_id: z.number().int(),
  text: z.string(),
  kind: z.enum(PROMPT_KINDS),
  visibility: z.enum(VISIBILITIES),
  response: Rate,
  /** How many answers the counts and the mean are of: of those that are only counted, some are left out. */
  counted: z.number().int(),
  options: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      correct: z.boolean().nullable(),
      count: z.number().int(),
      /** Of a ranking: the mean place, 1 being the first; `count` is how often it was first. */
      mean_rank: z.number().nullable(),
    }),
  ),
  /** Of scales, confidence and numbers. */
  mean: z.number().nullable(),
})
export type PromptFigures = z.infer<typeof PromptFigures>

export const LiftFigures = Figures.extend({
  lift_id: z.number().int(),
  title: z.string(),
  journey_id: z.number().int(),
  journey: z.string(),
})
export const ByLift = z.object({
  as_of: z.string(),
  data: z.array(LiftFigures),
  pagination: Pagination,
  /** The questions of the one lift that is asked about. */
  prompts: z.array(PromptFigures),
})
export type ByLift = z.infer<typeof ByLift>

/** The queries of the reports: the filters that they share, and the sorting and paging of tables. */
import { z } from 'zod'
import { Day } from '../hours/wall-time.ts'
import { MAX_PER_PAGE, pageQuery } from '../page.ts'
import { ANALYTICS_TYPES } from './rate.ts'

const id = z.coerce.number().int().positive().max(999_999_999_999_999)
const FILTERS = { journey: id, user: id, lift: id, lift_id: id, prompt_id: id, lo_id: id }

/** `name` is the natural order: people by name, lifts by their position in the journey. */
export const REPORT_ORDERS = ['name', 'sent', 'opened', 'answered', 'completed', 'activity'] as const
export type ReportOrder = (typeof REPORT_ORDERS)[number]

const words = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^\0]*$/, 'Please remove the control characters')

/** Filters without sorting and pages, for figures with a single answer. */
export const AnalyticsFilters = z.object({
  ...z.object(FILTERS).partial().shape,
  /** Days in the time zone of the company or sub-tenant, both included. */
  from: Day.optional(),
  to: Day.optional(),
  /** A moment, or the end of a day. */
  as_of: z.union([z.iso.datetime({ offset: true }), Day]).optional(),
})
export type AnalyticsFilters = z.infer<typeof AnalyticsFilters>

export const AnalyticsQuery = AnalyticsFilters.extend({
  q: words.default(''),
  order_by: z.enum(REPORT_ORDERS).default('name'),
  order: z.enum(['asc', 'desc']).default('asc'),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  per_page: z.coerce.number().int().min(1).max(MAX_PER_PAGE).default(20),
})
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>

export const ResponseQuery = pageQuery(['date'])
  .omit({ order_by: true, order: true })
  .extend(AnalyticsFilters.omit({ journey: true, lift: true, lift_id: true }).shape)
export type ResponseQuery = z.infer<typeof ResponseQuery>

export const LearnerResponsesQuery = ResponseQuery.omit({ user: true }).extend(
  AnalyticsFilters.pick({ lift_id: true }).shape,
)
export type LearnerResponsesQuery = z.infer<typeof LearnerResponsesQuery>

const searched = id.optional().catch(undefined)
const day = Day.optional().catch(undefined)
export const AnalyticsSearch = z.object({
  type: z.enum(ANALYTICS_TYPES).catch('overview'),
  journey: searched,
  user: searched,
  lift: searched,
  lift_id: searched,
  prompt_id: searched,
  lo_id: searched,
  from: day,
  to: day,
  /** Until the end of this day. */
  as_of: day,
  q: words.catch(''),
  order: z
    .string()
    .regex(new RegExp(`^(${REPORT_ORDERS.join('|')}):(asc|desc)$`))
    .catch('name:asc'),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
  /** The page of lifts in the grid of learners and lifts. */
  lifts_page: z.coerce.number().int().min(1).max(100_000).catch(1),
})
export type AnalyticsSearch = z.infer<typeof AnalyticsSearch>

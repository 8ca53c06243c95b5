/** A figure explained: what it counts, what it leaves out, and the rows behind it. */
import { z } from 'zod'
import { Pagination } from '../../page.ts'
import { FIGURE_NAMES } from '../definitions.ts'
import { Rate } from '../figures.ts'
import { AnalyticsFilters, AnalyticsQuery, AnalyticsSearch } from '../query.ts'

/**
 * `yes` counts for the figure, `no` does not; `behind`: not completed and late; `waiting`: was sent the lift, has not
 * answered, and still can.
 */
export const OUTCOMES = ['all', 'yes', 'no', 'behind', 'waiting'] as const

export const EXPLAIN_ORDERS = ['name', 'lift', 'due', 'answered', 'completed'] as const

export const ExplainQuery = AnalyticsFilters.extend({
  figure: z.enum(FIGURE_NAMES).default('response'),
  outcome: z.enum(OUTCOMES).default('all'),
  q: AnalyticsQuery.shape.q,
  order_by: z.enum(EXPLAIN_ORDERS).default('name'),
  order: z.enum(['asc', 'desc']).default('asc'),
  page: AnalyticsQuery.shape.page,
  per_page: AnalyticsQuery.shape.per_page,
})
export type ExplainQuery = z.infer<typeof ExplainQuery>

export const ExplainSearch = AnalyticsSearch.omit({ type: true, order: true, lifts_page: true }).extend({
  figure: z.enum(FIGURE_NAMES).catch('response'),
  outcome: z.enum(OUTCOMES).catch('all'),
  order: z
    .string()
    .regex(new RegExp(`^(${EXPLAIN_ORDERS.join('|')}):(asc|desc)$`))
    .catch('name:asc'),
})
export type ExplainSearch = z.infer<typeof ExplainSearch>

const at = z.string().nullable()

export const ExplainedRow = z.object({
  occurrence_id: z.number().int(),
  user_id: z.number().int(),
  name: z.string(),
  journey_id: z.number().int(),
  journey: z.string(),
  lift_id: z.number().int(),
  lift: z.string(),
  counts: z.boolean(),
  /** The delivery state of its message. */
  delivery: z.string(),
  /** Why its message did not get through; null for any that did, or is waiting. */
  reason: z.string().nullable(),
  due_at: z.string(),
  sent_at: at,
  delivered_at: at,
  opened_at: at,
  answered_at: at,
  completed_at: at,
})
export type ExplainedRow = z.infer<typeof ExplainedRow>

const Named = z.object({ id: z.number().int(), name: z.string() })
const Some = z.object({ total: z.number().int(), data: z.array(Named) })

export const Explained = z.object({
  as_of: z.string(),
  figure: z.enum(FIGURE_NAMES),
  rate: Rate,
  learners: z.number().int(),
  learners_capped: z.boolean().optional(),
  left_out: z.object({
    excluded: Some,
    /** Lifts without a question, which only the response figure leaves out. */
    without_questions: Some,
    /** Lifts that are on hold, and those whose learner had left before. */
    held: z.number().int(),
    left: z.number().int(),
  }),
  data: z.array(ExplainedRow),
  pagination: Pagination,
})
export type Explained = z.infer<typeof Explained>

/** The data of a report's charts. Each chart adds up to the tiles beside it. */
import { z } from 'zod'
import { MAX_PER_PAGE, Pagination } from '../../page.ts'
import { Figures, Rate } from '../figures.ts'
import { AnalyticsFilters } from '../query.ts'

const many = z.number().int()

/** What was due in each week, and what has become of it by now. */
export const Trend = z.object({
  as_of: z.string(),
  weeks: z.array(Figures.extend({ week: z.string() })),
})
export type Trend = z.infer<typeof Trend>

/** Answers after this many days are shown together. */
export const LAST_DAY = 14
/** The days after which the share of answers is shown. */
export const DAYS_TOLD = [1, 3, 7] as const

export const Timing = z.object({
  as_of: z.string(),
  sent: many,
  days: z.array(z.object({ day: many, answered: many })),
  /** Among the messages sent at least so many days ago. */
  within: z.array(z.object({ days: many, rate: Rate })),
  /** Answers to lifts without a sent message, which are in none of the days. */
  unsent: many,
})
export type Timing = z.infer<typeof Timing>

export const Failures = z.object({
  as_of: z.string(),
  assigned: many,
  data: z.array(
    z.object({
      outcome: z.enum(['unknown', 'suppressed', 'failed', 'expired']),
      /** The reason given by the carrier or the product; null where no message was planned. */
      code: z.string().nullable(),
      reason: z.string(),
      count: many,
    }),
  ),
})
export type Failures = z.infer<typeof Failures>

export const PicturesQuery = AnalyticsFilters.extend({
  /** Within a lift or as of a past day, answers have to be counted one by one. */
  with_timing: z.stringbool().default(true),
})
export type PicturesQuery = z.infer<typeof PicturesQuery>
export const Pictures = z.object({ trend: Trend, timing: Timing.nullable(), failures: Failures })
export type Pictures = z.infer<typeof Pictures>

export const CELLS = ['completed', 'answered', 'opened', 'sent', 'waiting', 'unknown', 'not_sent'] as const
export type Cell = (typeof CELLS)[number]
export const CELL_WORDS: Record<Cell, string> = {
  completed: 'Completed',
  answered: 'Answered',
  opened: 'Opened',
  sent: 'Sent',
  waiting: 'Waiting',
  unknown: 'Unconfirmed',
  not_sent: 'Not sent',
}

export const MAX_GRID_LEARNERS = 200
export const MAX_GRID_LIFTS = 50

export const GridQuery = AnalyticsFilters.omit({ journey: true }).extend({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  per_page: z.coerce.number().int().min(1).max(MAX_GRID_LEARNERS).default(MAX_PER_PAGE),
  lifts_page: z.coerce.number().int().min(1).max(100_000).default(1),
})
export type GridQuery = z.infer<typeof GridQuery>

/** Learners by lifts. */
export const Grid = z.object({
  as_of: z.string(),
  done: Rate,
  lifts: z.array(z.object({ lift_id: many, title: z.string() })),
  learners: z.array(
    z.object({
      user_id: many,
      name: z.string(),
      /** One cell per lift; null where nothing is due. */
      cells: z.array(z.enum(CELLS).nullable()),
    }),
  ),
  pagination: Pagination,
  lifts_pagination: Pagination,
})
export type Grid = z.infer<typeof Grid>

/** Assessment results by objective: before and after, and how learners and their sponsors differ. */
import { z } from 'zod'
import { Pagination } from '../../page.ts'

const id = z.coerce.number().int().positive().max(999_999_999_999_999)
const as_of = z.iso.datetime({ offset: true }).optional()

export const AssessmentFiguresQuery = z.object({
  journey: id.optional(),
  lo_id: id.optional(),
  as_of,
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(20),
})
export type AssessmentFiguresQuery = z.infer<typeof AssessmentFiguresQuery>

export const AssessmentFiguresSearch = z.object({
  journey: id.optional().catch(undefined),
  lo_id: id.optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
})

/** With fewer people than this, readers could tell what one of them answered. */
export const FEWEST_PAIRS = 5

const level = z.number().nullable()
/** Two measurements of the same people, from 0 to 1; null for fewer than five people. */
export const Comparison = z.object({
  /** People with both measurements. */
  pairs: z.number().int(),
  /** How many of them the figures include: whole groups of five, in the order of their answers. */
  counted: z.number().int(),
  before: level,
  after: level,
  difference: level,
  low: level,
  high: level,
  d_z: level,
})
export type Comparison = z.infer<typeof Comparison>

export const ObjectiveFigures = z.object({
  objective_id: z.number().int(),
  code: z.string(),
  text: z.string(),
  target_level: z.number().nullable(),
  journey_id: z.number().int(),
  journey: z.string(),
  /** Learners who count and could have both measurements. */
  learners: z.number().int(),
  /** From before to after, as learners see themselves, and as their sponsors see them. */
  self_change: Comparison,
  sponsor_change: Comparison,
  /** How much higher learners see themselves than their sponsors do. */
  gap_before: Comparison,
  gap_after: Comparison,
})
export type ObjectiveFigures = z.infer<typeof ObjectiveFigures>

export const AssessmentFigures = z.object({
  as_of: z.string(),
  data: z.array(ObjectiveFigures),
  pagination: Pagination,
})
export type AssessmentFigures = z.infer<typeof AssessmentFigures>

export const TimeToAnswerQuery = z.object({ journey: id.optional(), lift: id.optional(), as_of })
export type TimeToAnswerQuery = z.infer<typeof TimeToAnswerQuery>

export const TimeToAnswer = z.object({
  as_of: z.string(),
  asked: z.number().int(),
  answered: z.number().int(),
  median: z.number().nullable(),
  /** Kaplan–Meier estimate over all who were asked; null while half of them have not answered. */
  median_of_all: z.number().nullable(),
})
export type TimeToAnswer = z.infer<typeof TimeToAnswer>

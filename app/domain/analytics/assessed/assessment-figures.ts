/** What assessments say of objectives: before and after, and how learners and their sponsors differ. */
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

/** Fewer people than this would tell what one of them said. */
export const FEWEST_PAIRS = 5

const level = z.number().nullable()
/** Two measurements of the same people, from 0 to 1; null of fewer than five people. */
export const Comparison = z.object({
  /** Of whom there are both. */
  pairs: z.number().int(),
  /** Of how many the figures are: whole fives, by when they came. */
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
  /** Those who count, of whom both could be. */
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
  /** Kaplan–Meier: of all who were asked. Null while half of them have not answered. */
  median_of_all: z.number().nullable(),
})
export type TimeToAnswer = z.infer<typeof TimeToAnswer>

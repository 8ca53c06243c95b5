/** The score that a sponsor or an author gives to an answer. */
import { z } from 'zod'
import { figures } from '../text/figures.ts'
import { STORABLE } from '../text/text.ts'

export const MAX_COMMENT = 1000

/** Converts a score to points on the question's scale. */
export const toPoints = (score: number, max_score: number): number =>
  Math.round(score * max_score * 100) / 100

export const Score = z.object({
  /** Null if not scored yet. */
  points: z.number().nullable(),
  max_score: z.number(),
  comment: z.string(),
  version: z.number().int(),
  scored_at: z.string().nullable(),
})
export type Score = z.infer<typeof Score>

export const SCORERS = ['sponsor', 'author'] as const
export type Scorer = (typeof SCORERS)[number]

export const ScorableAnswer = z.object({
  id: z.number().int(),
  by: z.enum(SCORERS),
  learner: z.object({ user_id: z.number().int(), name: z.string() }),
  journey: z.object({ id: z.number().int(), name: z.string() }),
  lift: z.object({ id: z.number().int(), title: z.string() }),
  question: z.string(),
  words: z.string(),
  score: Score,
})
export type ScorableAnswer = z.infer<typeof ScorableAnswer>

export const ScoreInput = z.strictObject({
  points: z
    .number('Please enter a number')
    .min(0, 'Please enter 0 or more')
    .max(1000, 'Please enter at most 1,000'),
  /** Visible to the learner. */
  comment: z
    .string()
    .trim()
    .max(MAX_COMMENT, `Please use at most ${figures(MAX_COMMENT)} characters`)
    .regex(...STORABLE)
    .default(''),
  /** The version that the scorer saw; without it, the last to save wins. */
  version: z.number().int().min(0).optional(),
})
export type ScoreInput = z.infer<typeof ScoreInput>

import { z } from 'zod'
import { MAX_COMMENT, type ScorableAnswer, ScoreInput } from './score.ts'

export const ScoreForm = z.object({
  points: ScoreInput.shape.points,
  comment: z.string().max(MAX_COMMENT, `Please use at most ${MAX_COMMENT} characters`).default(''),
  version: z.number().int().optional(),
})

export const formOfScore = ({ score: { points, comment, version } }: ScorableAnswer) => ({
  ...(points === null ? {} : { points }),
  ...{ comment, version },
})

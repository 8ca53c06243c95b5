import { z } from 'zod'
import { MOST_COMMENT, type ScorableAnswer, ScoreInput } from './score.ts'

export const ScoreForm = z.object({
  points: ScoreInput.shape.points,
  comment: z.string().max(MOST_COMMENT, `Please use at most ${MOST_COMMENT} characters`).default(''),
  version: z.number().int().optional(),
})

export const formOfScore = ({ score: { points, comment, version } }: ScorableAnswer) => ({
  ...(points === null ? {} : { points }),
  ...{ comment, version },
})

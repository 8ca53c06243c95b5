import { z } from 'zod'
import { type ScorableAnswer, ScoreInput } from './score.ts'

export const ScoreForm = z.object({
  points: ScoreInput.shape.points,
  comment: ScoreInput.shape.comment,
  version: z.number().int().optional(),
})

export const formOfScore = ({ score: { points, comment, version } }: ScorableAnswer) => ({
  ...(points === null ? {} : { points }),
  ...{ comment, version },
})

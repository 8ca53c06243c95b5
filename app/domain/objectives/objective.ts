/** What a journey wants its learners to be able to do: lifts, questions and assessments are tagged with it. */
import { z } from 'zod'
import { requiredLine } from '#app/domain/text.ts'

export const ObjectiveInput = z.strictObject({
  code: requiredLine(20),
  text: requiredLine(300),
  /** The share of its points that counts as reached. */
  target_level: z.number().min(0).max(1).nullable().default(null),
})
export type ObjectiveInput = z.infer<typeof ObjectiveInput>

export const Objective = z.object({
  id: z.number().int(),
  journey_id: z.number().int(),
  code: z.string(),
  text: z.string(),
  target_level: z.number().nullable(),
  position: z.number().int(),
  /** How many lifts, questions and items of assessments are tagged with it. */
  uses: z.number().int(),
})
export type Objective = z.infer<typeof Objective>
export const Objectives = z.object({ data: z.array(Objective) })

/** An objective as its form sends it: per cent, because that is how people say it. */
export const ObjectiveForm = z.object({
  code: ObjectiveInput.shape.code,
  text: ObjectiveInput.shape.text,
  target_percent: z
    .number('Please enter a number')
    .min(0, 'Please enter 0 to 100')
    .max(100, 'Please enter 0 to 100')
    .optional(),
})
export const objectiveOfForm = ({ target_percent, ...words }: z.infer<typeof ObjectiveForm>) => ({
  ...words,
  target_level: target_percent === undefined ? null : target_percent / 100,
})

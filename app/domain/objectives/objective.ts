/** A learning objective of a journey, with which lifts, questions and assessment items are tagged. */
import { z } from 'zod'
import { requiredLine } from '#app/domain/text/text.ts'

export const ObjectiveInput = z.strictObject({
  code: requiredLine(20),
  text: requiredLine(300),
  target_level: z.number().min(0).max(1).nullable().default(null),
})
export type ObjectiveInput = z.infer<typeof ObjectiveInput>

export const ObjectiveChange = ObjectiveInput.extend({ lock_version: z.number().int().min(0) })
export type ObjectiveChange = z.infer<typeof ObjectiveChange>

export const Objective = z.object({
  id: z.number().int(),
  journey_id: z.number().int(),
  code: z.string(),
  text: z.string(),
  target_level: z.number().nullable(),
  position: z.number().int(),
  uses: z.number().int(),
  lock_version: z.number().int(),
})
export type Objective = z.infer<typeof Objective>
export const Objectives = z.object({ data: z.array(Objective) })

/** An objective as its form sends it, with percentages. */
export const ObjectiveForm = z.object({
  lock_version: z.number().int().min(0).optional(),
  code: ObjectiveInput.shape.code,
  text: ObjectiveInput.shape.text,
  target_percent: z
    .number('Please enter a number')
    .min(0, 'Please enter 0 to 100')
    .max(100, 'Please enter 0 to 100')
    .optional(),
})
export const objectiveOfForm = ({ code, text, target_percent }: z.infer<typeof ObjectiveForm>) => ({
  ...{ code, text },
  target_level: target_percent === undefined ? null : target_percent / 100,
})
export const formOfObjective = ({ lock_version, code, text, target_level }: Objective) => ({
  ...{ lock_version, code, text },
  target_percent: target_level === null ? '' : Math.round(target_level * 100),
})

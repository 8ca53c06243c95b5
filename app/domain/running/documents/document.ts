/**
 * A journey independent of a database. Lifts and objectives are referred to by number and code, as ids belong to one
 * journey only.
 */
import { z } from 'zod'
import { REQUIRED } from '#app/domain/text/text.ts'
import {
  AssessmentInput,
  endCheck,
  itemCheck,
  itemShape,
  MAX_ASSESSMENTS,
  MAX_ITEMS,
} from '../../assessments/assessment.ts'
import { JourneyInput } from '../../journeys/journey.ts'
import { LiftInput } from '../../lifts/lift.ts'
import { PromptOption, promptCheck, promptShape } from '../../lifts/prompt.ts'
import { ScheduleRule } from '../../lifts/schedule-rule.ts'
import { ObjectiveInput } from '../../objectives/objective.ts'

const codes = z.array(ObjectiveInput.shape.code).max(50).default([])

/** A lift's rule, in which the awaited lift is its number in the file, from 1 on. */
const AfterLift = z.strictObject({
  kind: z.literal('after_lift'),
  lift: z.number('Please give the number of a lift').int().min(1),
  min_hours: z.number().int().min(0).max(8760),
})
const [absolute, offset, weekly, , manual] = ScheduleRule.options
/** Forms send numbers as text; in a file text is not accepted as a number. */
const days = z.number().int().min(0).max(730)
export const DocumentRule = z.discriminatedUnion('kind', [
  absolute,
  offset.extend({ days }),
  weekly.extend({ week: z.number().int().min(1).max(104) }),
  AfterLift,
  manual,
])
export type DocumentRule = z.infer<typeof DocumentRule>

export const DocumentPrompt = promptShape
  .omit({ objective_ids: true })
  .extend({
    options: z
      .array(PromptOption.omit({ retired: true }))
      .max(20)
      .default([]),
    objectives: codes,
  })
  .superRefine(promptCheck)
export type DocumentPrompt = z.infer<typeof DocumentPrompt>

const DocumentItem = itemShape
  .omit({ objective_id: true })
  .extend({ objective: ObjectiveInput.shape.code.nullable().default(null) })
  .superRefine(itemCheck)

const AssessmentTime = z.discriminatedUnion('kind', [
  absolute,
  offset.extend({ days, from: z.enum(['start', 'joined']) }),
])
export const DocumentAssessment = z
  .strictObject({
    ...AssessmentInput.shape,
    opens: AssessmentTime,
    closes: AssessmentTime.nullable().default(null),
    items: z.array(DocumentItem).max(MAX_ITEMS).default([]),
  })
  .superRefine(endCheck)
export type DocumentAssessment = z.infer<typeof DocumentAssessment>

const lift = LiftInput.shape
export const DocumentLift = z.strictObject({
  title: lift.title,
  status: z.enum(['draft', 'ready']).default('draft'),
  sms_text: lift.sms_text.unwrap().default(''),
  email_subject: lift.email_subject.unwrap().default(''),
  schedule: DocumentRule,
  required: lift.required.unwrap().default(true),
  completion_rule: lift.completion_rule.unwrap().default('all_required_prompts'),
  closes_after_hours: lift.closes_after_hours.unwrap().default(null),
  est_minutes: lift.est_minutes.unwrap().default(3),
  objectives: codes,
  blocks: lift.blocks.unwrap().default([]),
  prompts: z.array(DocumentPrompt).max(20, 'A lift has at most 20 questions').default([]),
})
export type DocumentLift = z.infer<typeof DocumentLift>

export const DocumentHead = JourneyInput.extend({
  objectives: z.array(ObjectiveInput).max(50, 'A journey has at most 50 learning objectives').default([]),
  assessments: z
    .array(DocumentAssessment)
    .max(MAX_ASSESSMENTS, `A journey has at most ${MAX_ASSESSMENTS} assessments`)
    .default([]),
})
export type DocumentHead = z.infer<typeof DocumentHead>

export type JourneyDocument = {
  head: DocumentHead
  lifts: DocumentLift[]
  /** The data of pictures by their paths, in base64, as far as the file contains it. */
  pictures?: ReadonlyMap<string, string>
}
export const MAX_DOCUMENT_LIFTS = 200
/** Enough for 200 lifts of several screens each, with their pictures. */
export const MAX_DOCUMENT_CHARACTERS = 8_000_000

export const DocumentProblem = z.object({
  line: z.number().int(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
})
export type DocumentProblem = z.infer<typeof DocumentProblem>

export const ImportInput = z.strictObject({
  text: z.string({ error: REQUIRED }).min(1, REQUIRED).max(MAX_DOCUMENT_CHARACTERS, 'This file is too long'),
  dry_run: z.boolean().default(true),
})
export type ImportInput = z.infer<typeof ImportInput>

export const ImportResult = z.object({
  problems: z.array(DocumentProblem),
  name: z.string(),
  lifts: z.number().int(),
  prompts: z.number().int(),
  objectives: z.number().int(),
  assessments: z.number().int(),
  /** The created draft; null after a dry run, or with errors. */
  journey_id: z.number().int().nullable(),
})
export type ImportResult = z.infer<typeof ImportResult>

export const DuplicateInput = z.strictObject({
  name: JourneyInput.shape.name.optional(),
  lifts: z.boolean().default(true),
  objectives: z.boolean().default(true),
  assessments: z.boolean().default(true),
})
export type DuplicateInput = z.infer<typeof DuplicateInput>

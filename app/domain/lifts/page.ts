/** A lift as its learner sees it: right answers are not included until the question is answered. */
import { z } from 'zod'
import { REQUIRED } from '#app/domain/text/text.ts'
import { Block } from './blocks.ts'
import { COMMITMENT_STATES } from './commitment.ts'
import { PROMPT_KINDS, VISIBILITIES } from './prompt.ts'

export const PagePrompt = z.object({
  id: z.number().int(),
  position: z.number().int(),
  kind: z.enum(PROMPT_KINDS),
  text: z.string(),
  help: z.string(),
  required: z.boolean(),
  visibility: z.enum(VISIBILITIES),
  scorer: z.enum(['sponsor', 'author']).nullable(),
  options: z.array(z.object({ id: z.string(), text: z.string() })),
  answer: z
    .object({
      value: z.unknown(),
      correct: z.boolean().nullable(),
      feedback: z.string(),
      /** Points, and the comment on them. */
      score: z.object({ points: z.number(), max_score: z.number(), comment: z.string() }).nullable(),
      submitted_at: z.string(),
      /** For a commitment: its state. */
      commitment: z.enum(COMMITMENT_STATES).nullable(),
    })
    .nullable(),
})
export type PagePrompt = z.infer<typeof PagePrompt>

export const LiftPage = z.object({
  id: z.number().int(),
  title: z.string(),
  journey: z.object({ id: z.number().int(), name: z.string() }),
  sponsor: z.string().nullable(),
  est_minutes: z.number().int(),
  completion_rule: z.enum(['all_required_prompts', 'viewed_and_confirmed']),
  blocks: z.array(Block),
  prompts: z.array(PagePrompt),
  is_test: z.boolean(),
  /** Null on a test page and for a lift that was not sent. */
  state: z.string().nullable(),
  completed_at: z.string().nullable(),
  closes_at: z.string().nullable(),
  is_closed: z.boolean(),
  progress: z.object({ completed: z.number().int(), total: z.number().int() }),
  /** For the learner's own lift that is not due yet: its due time, if known. */
  not_yet: z.object({ due_at: z.string().nullable() }).nullable(),
  /** The journey is over and takes no more answers. */
  has_ended: z.boolean(),
  zone: z.string(),
  next: z
    .object({ id: z.number().int(), title: z.string(), due_at: z.string().nullable(), is_open: z.boolean() })
    .nullable(),
})
export type LiftPage = z.infer<typeof LiftPage>

/** Answers to some of the lift's questions; `complete` says "I am done" where viewing is the task. */
export const ResponsesInput = z.strictObject({
  responses: z
    .array(z.strictObject({ prompt_id: z.number().int().positive(), value: z.unknown() }))
    .max(50)
    .default([]),
  complete: z.boolean().default(false),
})
export type ResponsesInput = z.infer<typeof ResponsesInput>

export const SendTestInput = z.strictObject({
  phones: z
    .array(z.string().regex(/^\+[1-9]\d{6,14}$/, 'Please enter a number like +14155550100'))
    .min(1, REQUIRED)
    .max(5, 'Please use at most 5 numbers'),
})
export type SendTestInput = z.infer<typeof SendTestInput>

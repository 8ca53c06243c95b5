/** Answers, as shown to the readers that each question promised. */
import { z } from 'zod'
import { PROMPT_KINDS, VISIBILITIES } from '../lifts/prompt.ts'
import { Pagination } from '../page.ts'

/** Answers that people can read individually; others are private to the learner, or only counted. */
export const READABLE = ['admins', 'sponsor'] as const
export const isReadable = (visibility: string): boolean => READABLE.some((one) => one === visibility)

/** Points on the question's scale and the comment; `may_score`: whether the reader may score. */
const scored = {
  points: z.number().nullable(),
  max_score: z.number().nullable(),
  comment: z.string(),
  may_score: z.boolean(),
}

export const Response = z.object({
  id: z.number().int(),
  prompt_id: z.number().int(),
  question: z.string(),
  kind: z.enum(PROMPT_KINDS),
  user_id: z.number().int(),
  name: z.string(),
  value: z.unknown(),
  /** The value in words. */
  words: z.string(),
  score: z.number().nullable(),
  ...scored,
  submitted_at: z.string(),
  /** The learner is left out of the figures. */
  exclude_data: z.boolean(),
})
export type Response = z.infer<typeof Response>
export const ResponsePage = z.object({ data: z.array(Response), pagination: Pagination })
export type ResponsePage = z.infer<typeof ResponsePage>

/** One question with one learner's answer; `words` is null if only the learner may read it. */
export const LearnerAnswer = z.object({
  id: z.number().int(),
  prompt_id: z.number().int(),
  question: z.string(),
  kind: z.enum(PROMPT_KINDS),
  visibility: z.enum(VISIBILITIES),
  value: z.unknown(),
  words: z.string().nullable(),
  score: z.number().nullable(),
  ...scored,
  submitted_at: z.string(),
})
export type LearnerAnswer = z.infer<typeof LearnerAnswer>

export const AnsweredLift = z.object({
  lift_id: z.number().int(),
  title: z.string(),
  required: z.boolean(),
  state: z.string(),
  /** The delivery state of its message, as in analytics. */
  delivery: z.string(),
  /** About now, never as of an earlier moment. */
  is_overdue: z.boolean(),
  due_at: z.string().nullable(),
  opened_at: z.string().nullable(),
  responded_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  closes_at: z.string().nullable(),
  answers: z.array(LearnerAnswer),
})
export type AnsweredLift = z.infer<typeof AnsweredLift>

export const LearnerResponses = z.object({
  user_id: z.number().int(),
  name: z.string(),
  journey: z.object({ id: z.number().int(), name: z.string() }),
  sponsor: z.string().nullable(),
  has_left: z.boolean(),
  exclude_data: z.boolean(),
  data: z.array(AnsweredLift),
  pagination: Pagination,
})
export type LearnerResponses = z.infer<typeof LearnerResponses>

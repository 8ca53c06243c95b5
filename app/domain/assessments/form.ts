/** The forms that raters fill in, and the results read from them. */
import { z } from 'zod'
import { Journey } from '../journeys/journey.ts'
import { Pagination, paging } from '../page.ts'
import { line, requiredLine } from '../text/text.ts'
import { AnswerValue } from './answer.ts'
import { Assessment, AssessmentItem, PHASES, RATERS } from './assessment.ts'

/** `submitted` is final unless an administrator reopens it; `closed` was never submitted. */
export const FORM_STATES = ['not_open', 'open', 'in_progress', 'submitted', 'closed'] as const
export type FormState = (typeof FORM_STATES)[number]
export const isFillable = (state: FormState): boolean => state === 'open' || state === 'in_progress'

const Answer = z.strictObject({ item_id: z.number().int().positive(), value: AnswerValue })

/** Answers that are left out stay as they were. `rater` tells the role in which somebody with several answers. */
export const AnswersInput = z.strictObject({
  answers: z.array(Answer).max(100).default([]),
  submit: z.boolean().default(false),
  rater: z.enum(RATERS).optional(),
  /** The revision of the form that was filled in; any other is refused. */
  revision: z.number().int().positive().optional(),
  /** The version of the answers that the form was opened with; refused once others were saved. */
  answers_version: z.string().max(40).optional(),
})
export type AnswersInput = z.infer<typeof AnswersInput>

export const ReopenInput = z.strictObject({
  reason: requiredLine(300),
  /** Peers answer anonymously, so their forms cannot be reopened. */
  rater: z.enum(['self', 'sponsor']).default('self'),
})
export type ReopenInput = z.infer<typeof ReopenInput>

const score = z.number().nullable()

/** The state of a rater's forms over the whole journey; people who do not count in figures are left out. */
const Figures = z.object({
  rater: z.enum(RATERS),
  asked: z.number().int(),
  submitted: z.number().int(),
  /** The mean of the scores; for peers, shown only for one learner at a time. */
  score,
})
export const AssessmentsQuery = z.object({
  ...paging(),
  q: line(200).default(''),
})
export type AssessmentsQuery = z.infer<typeof AssessmentsQuery>

const Cell = z.object({
  assessment_id: z.number().int(),
  rater: z.enum(RATERS),
  state: z.enum(FORM_STATES),
  score,
  /** For peers: how many were asked, and how many have submitted. */
  asked: z.number().int(),
  submitted: z.number().int(),
})
export const AssessmentsPage = z.object({
  journey: Journey.pick({ id: true, name: true, status: true, may_edit: true }),
  assessments: z.array(Assessment.extend({ figures: z.array(Figures) })),
  data: z.array(
    z.object({
      user_id: z.number().int(),
      name: z.string(),
      exclude_data: z.boolean(),
      forms: z.array(Cell),
    }),
  ),
  pagination: Pagination,
})
export type AssessmentsPage = z.infer<typeof AssessmentsPage>

const Form = z.object({
  rater: z.enum(RATERS),
  state: z.enum(FORM_STATES),
  is_mine: z.boolean(),
  revision: z.number().int(),
  reopened_reason: z.string().nullable(),
  opens_at: z.string().nullable(),
  closes_at: z.string().nullable(),
  submitted_at: z.string().nullable(),
  score,
  /** Null where the caller may not read them: not submitted yet, or before the caller has submitted their own. */
  answers: z.array(Answer).nullable(),
  /** Null where `answers` is null. */
  answers_version: z.string().nullable(),
})
export type Form = z.infer<typeof Form>

const Peers = z.object({
  asked: z.number().int(),
  submitted: z.number().int(),
  is_open: z.boolean(),
  /** The number of peers counted here: none below the minimum, then only in multiples of it. */
  counted: z.number().int(),
  score,
  levels: z.array(z.object({ item_id: z.number().int(), level: z.number(), answers: z.number().int() })),
  words: z.array(z.object({ item_id: z.number().int(), text: z.string() })),
})
export type Peers = z.infer<typeof Peers>

export const LearnerAssessment = z.object({
  id: z.number().int(),
  name: z.string(),
  phase: z.enum(PHASES),
  /** All raters who are asked: they decide when each may read the others. */
  raters: z.array(z.enum(RATERS)),
  is_retired: z.boolean(),
  items: z.array(AssessmentItem),
  forms: z.array(Form),
  peers: Peers.nullable(),
})
export type LearnerAssessment = z.infer<typeof LearnerAssessment>

export const LearnerAssessments = z.object({
  journey: z.object({ id: z.number().int(), name: z.string() }),
  learner: z.object({ id: z.number().int(), name: z.string() }),
  /** The caller's relation to the learner. */
  is_self: z.boolean(),
  may_manage: z.boolean(),
  may_reopen: z.boolean(),
  assessments: z.array(LearnerAssessment),
})
export type LearnerAssessments = z.infer<typeof LearnerAssessments>

export const OwedForm = z.object({
  assessment_id: z.number().int(),
  name: z.string(),
  phase: z.enum(PHASES),
  journey: z.object({ id: z.number().int(), name: z.string() }),
  learner: z.object({ id: z.number().int(), name: z.string() }),
  rater: z.enum(RATERS),
  closes_at: z.string().nullable(),
  is_started: z.boolean(),
})
export type OwedForm = z.infer<typeof OwedForm>
export const OwedForms = z.object({ data: z.array(OwedForm) })

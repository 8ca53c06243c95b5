/** What raters fill in, and what is read of it. */
import { z } from 'zod'
import { Journey } from '../journeys/journey.ts'
import { Pagination, paging } from '../page.ts'
import { line, requiredLine } from '../text/text.ts'
import { AnswerValue } from './answer.ts'
import { Assessment, AssessmentItem, PHASES, RATERS } from './assessment.ts'

/** `submitted` is final, save that an administrator opens it again; `closed` was never submitted. */
export const FORM_STATES = ['not_open', 'open', 'in_progress', 'submitted', 'closed'] as const
export type FormState = (typeof FORM_STATES)[number]
export const isFillable = (state: FormState): boolean => state === 'open' || state === 'in_progress'

const Answer = z.strictObject({ item_id: z.number().int().positive(), value: AnswerValue })

/** What is left out stays as it was; who is several raters at once says as which they answer. */
export const AnswersInput = z.strictObject({
  answers: z.array(Answer).max(100).default([]),
  submit: z.boolean().default(false),
  rater: z.enum(RATERS).optional(),
  /** Which revision of the form was filled in; another one is refused. */
  revision: z.number().int().positive().optional(),
  /** What stood in the form that was filled in; once other answers were saved, it is refused. */
  answers_version: z.string().max(40).optional(),
})
export type AnswersInput = z.infer<typeof AnswersInput>

export const ReopenInput = z.strictObject({
  reason: requiredLine(300),
  /** What peers said has no name on it, so it stays. */
  rater: z.enum(['self', 'sponsor']).default('self'),
})
export type ReopenInput = z.infer<typeof ReopenInput>

const score = z.number().nullable()

/** How a rater's forms of the whole journey stand; people who are left out of figures are not in it. */
const Figures = z.object({
  rater: z.enum(RATERS),
  asked: z.number().int(),
  submitted: z.number().int(),
  /** The mean of the scores; of peers it is shown of no more than one learner at a time. */
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
  /** Of peers: how many were asked, and how many have answered. */
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
  /** Null where it is not for whoever asks: not submitted yet, or before they have said what they think. */
  answers: z.array(Answer).nullable(),
  /** Null where the answers are. */
  answers_version: z.string().nullable(),
})
export type Form = z.infer<typeof Form>

const Peers = z.object({
  asked: z.number().int(),
  submitted: z.number().int(),
  is_open: z.boolean(),
  /** How many of them are counted here: none before there are enough, then in steps of as many. */
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
  /** All who are asked: on them depends when each may read the others. */
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
  /** How whoever asks knows the learner. */
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

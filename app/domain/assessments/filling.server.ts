/** Raters fill in a form, in several sittings if they like, and submit it; an administrator can reopen it. */
import { sql } from 'kysely'
import { may } from '../access/permissions.ts'
import { record } from '../audit/audit.server.ts'
import { forbidden, invalid, notFound, Refusal } from '../errors.ts'
import { nowIn } from '../scope/clock.server.ts'
import { asParticipant, type Scope } from '../scope/scope.server.ts'
import { type Answers, type AnswerValue, answerTo, StoredAnswers, scoreOf } from './answer.ts'
import { versionOf } from './answers-version.server.ts'
import type { Assessment } from './assessment.ts'
import { readAssessment, requireKept } from './assessments.server.ts'
import type { AnswersInput, FormState, LearnerAssessments, ReopenInput } from './form.ts'
import { isFillable } from './form.ts'
import { getLearnerAssessments } from './learner.server.ts'
import { tell } from './opening.server.ts'
import { findOwnForms, type OwnForm } from './own-forms.server.ts'

export const findOwnForm = (scope: Scope, assessmentId: number, userId: number): Promise<Own> =>
  asParticipant(scope, (own) => readOwnForm(own, assessmentId, userId))

type Own = { form: OwnForm; assessment: Assessment }

async function readOwnForm(
  scope: Scope,
  assessmentId: number,
  userId: number,
  rater?: AnswersInput['rater'],
): Promise<Own> {
  const assessment = await readAssessment(scope, assessmentId)
  const forms = await findOwnForms(scope, assessment.journey_id, userId)
  const form = forms.find((one) => one.assessment_id === assessmentId && (!rater || one.rater === rater))
  if (!form) throw notFound()
  return { form, assessment }
}

export async function fillIn(
  scope: Scope,
  assessmentId: number,
  userId: number,
  input: AnswersInput,
): Promise<LearnerAssessments> {
  const { form, isNew } = await asParticipant(scope, (own) => keepAnswers(own, assessmentId, userId, input))
  const changes = { rater: form.rater, submitted: input.submit }
  // The log does not name the assessed learner: peers answer anonymously.
  if (isNew) await record(scope, 'assessment.answered', { type: 'assessment', id: assessmentId }, changes)
  return getLearnerAssessments(scope, form.journey_id, userId)
}

async function keepAnswers(scope: Scope, assessmentId: number, userId: number, input: AnswersInput) {
  const { id } = (await readOwnForm(scope, assessmentId, userId, input.rater)).form
  // Locks the form: two windows of the same person are handled one after the other.
  await scope.db.selectFrom('assessment_forms').select('id').where('id', '=', id).forUpdate().execute()
  const { form, assessment } = await readOwnForm(scope, assessmentId, userId, input.rater)
  const given = readAnswers(assessment, input)
  const answers = filled({ ...fitting(assessment, form.answers), ...given })
  if (isSameAgain(form, answers, input)) return { form, isNew: false }
  requireFillable(form, input.revision, nowIn(scope))
  requireSeenAnswers(form, answers, input.answers_version)
  if (input.submit && !assessment.items.some((item) => isAnswered(answers[item.id])))
    throw new Refusal(409, 'Please answer at least one question before you submit.')
  await keep(scope, form, assessment, answers, input.submit)
  return { form, isNew: true }
}

/** The stored answers, except those that no longer fit a question changed meanwhile. */
const fitting = ({ items }: Assessment, answers: Answers): Answers =>
  Object.fromEntries(
    items.flatMap((item) => {
      const said = answerTo(item).safeParse(answers[item.id])
      return said.success ? [[String(item.id), said.data]] : []
    }),
  )

const isAnswered = (value: AnswerValue | undefined): boolean => value !== undefined && value !== null
const filled = (answers: Answers): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([, value]) => isAnswered(value)))

/** Submitting the same form twice is idempotent. */
const isSameAgain = (form: OwnForm, answers: Answers, { submit, revision }: AnswersInput): boolean =>
  form.state === 'submitted' &&
  submit &&
  (revision === undefined || revision === form.revision) &&
  Object.entries(answers).every(([id, value]) => (form.answers[id] ?? null) === value)

function requireFillable(form: OwnForm, revision: number | undefined, now: Date): void {
  if (form.state === 'not_open') throw new Refusal(409, 'This assessment is not open yet.')
  if (form.state === 'submitted') throw new Refusal(409, 'You have submitted this already.')
  if (!isFillable(form.state) || (form.closes_at !== null && form.closes_at <= now))
    throw new Refusal(409, 'This assessment is closed; answers are no longer taken.')
  if (revision !== undefined && revision !== form.revision)
    throw new Refusal(409, 'This assessment was opened again in the meantime; please look at it once more.')
}

/** With two windows, the later one would overwrite the answers of the other. Saving the same answers twice is harmless. */
function requireSeenAnswers(form: OwnForm, answers: Answers, seen: string | undefined): void {
  const stored = versionOf(form.answers)
  if (seen === undefined || seen === stored || versionOf(answers) === stored) return
  const current = { answers: form.answers, answers_version: stored }
  throw new Refusal(409, 'Other answers were saved in the meantime; please look at both.', { current })
}

function readAnswers(assessment: Assessment, input: AnswersInput): Answers {
  const problems: Record<string, string[]> = {}
  const given = new Map<string, AnswerValue>()
  for (const { item_id, value } of input.answers) {
    const item = assessment.items.find((one) => one.id === item_id)
    const parsed = item && answerTo(item).safeParse(value)
    if (parsed?.success) given.set(String(item_id), parsed.data)
    else
      problems[`item_${item_id}`] = parsed?.error.issues.map((issue) => issue.message) ?? [
        'This question is not part of the assessment.',
      ]
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return Object.fromEntries(given)
}

async function keep({ db }: Scope, form: OwnForm, { items }: Assessment, answers: Answers, submit: boolean) {
  const begun = Object.keys(answers).length > 0 ? 'in_progress' : form.state
  await db
    .updateTable('assessment_forms')
    .set({
      answers: JSON.stringify(answers),
      state: submit ? 'submitted' : begun,
      score: submit ? scoreOf(items, answers) : null,
      submitted_at: submit ? sql`scope_now()` : null,
    })
    .where('id', '=', form.id)
    .execute()
}

/** Reopens a submitted form; the earlier answers are kept beside the new ones. */
export async function reopenForm(
  scope: Scope,
  assessmentId: number,
  userId: number,
  { reason, rater }: ReopenInput,
): Promise<LearnerAssessments> {
  if (!may(scope.actor, 'assessments:reopen')) throw forbidden()
  const assessment = await readAssessment(scope, assessmentId)
  const journey = await requireKept(scope, assessment.journey_id)
  const form = await findForm(scope, assessmentId, userId, rater)
  if (!form) throw notFound()
  // After a double press, the second request finds the form reopened.
  if (isFillable(form.state as FormState) && form.reopened_reason === reason)
    return getLearnerAssessments(scope, journey.id, userId)
  if (assessment.is_retired || form.is_gone)
    throw new Refusal(409, 'Nobody could fill it in: somebody left, or the assessment was closed.')
  if (form.state !== 'submitted' && form.state !== 'closed')
    throw new Refusal(
      409,
      form.state === 'not_open' ? 'This form has not opened yet.' : 'This form is open already.',
    )
  const { revision, answers, score, submitted_at } = form
  const earlier = submitted_at ? [{ revision, answers, score, submitted_at, reason }] : []
  await scope.db
    .updateTable('assessment_forms')
    .set({
      state: Object.keys(StoredAnswers.parse(answers)).length > 0 ? 'in_progress' : 'open',
      is_left: false,
      revision: revision + 1,
      reopened_reason: reason,
      earlier: sql`earlier || ${JSON.stringify(earlier)}::jsonb`,
      ...{ score: null, submitted_at: null },
      // A closing time in the past is removed.
      closes_at: sql`case when closes_at > scope_now() then closes_at end`,
    })
    .where('id', '=', form.id)
    .execute()
  const subject = { type: 'assessment', id: assessmentId }
  // The reason is stored with the form, not in the log, so that it is erased with it.
  await record(scope, 'assessment.reopened', subject, { user: userId, rater })
  await tell(scope, [form.person], {
    assessment: assessment.name,
    journey: journey.name,
    message: `It was opened again for you. ${reason}`,
    path: `/lljs/${journey.id}/assessments/${userId}`,
  })
  return getLearnerAssessments(scope, journey.id, userId)
}

const findForm = ({ db }: Scope, assessmentId: number, userId: number, rater: string) =>
  db
    .selectFrom('assessment_forms as f')
    .innerJoin('members as s', 's.id', 'f.subject_id')
    .innerJoin('members as r', 'r.id', 'f.rater_id')
    .selectAll('f')
    .select('r.user_id as person')
    .select(sql<boolean>`s.state = 'withdrawn' or r.state = 'withdrawn'`.as('is_gone'))
    .where('f.assessment_id', '=', assessmentId)
    .where('f.rater', '=', rater)
    .where('s.user_id', '=', userId)
    .forUpdate('f')
    .executeTakeFirst()

/** Assessments: below the path of their journey for authors, by their own for those who fill them in. */
import { createRoute, z } from '@hono/zod-openapi'
import { Assessment, AssessmentChange, AssessmentInput } from '#app/domain/assessments/assessment.ts'
import {
  createAssessment,
  deleteAssessment,
  updateAssessment,
} from '#app/domain/assessments/assessments.server.ts'
import { fillIn, reopenForm } from '#app/domain/assessments/filling.server.ts'
import {
  AnswersInput,
  AssessmentsPage,
  AssessmentsQuery,
  LearnerAssessments,
  OwedForms,
  ReopenInput,
} from '#app/domain/assessments/form.ts'
import { getLearnerAssessments } from '#app/domain/assessments/learner.server.ts'
import { listOwed } from '#app/domain/assessments/own-forms.server.ts'
import { listAssessments } from '#app/domain/assessments/table.server.ts'
import { SeenQuery } from '#app/domain/optimistic-lock.ts'
import { answer, body, NOTHING, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Assessments']
const one = { params: z.object({ id: NumericId }) }
const ofLearner = { params: z.object({ id: NumericId, userId: NumericId }) }

const list = createRoute({
  method: 'get',
  path: '/{id}/assessments',
  tags,
  summary: 'The assessments of a journey, and a page of its learners with where each of their forms stands',
  request: { ...one, query: AssessmentsQuery },
  responses: { 200: answer(AssessmentsPage), ...refusals },
})

const create = createRoute({
  method: 'post',
  path: '/{id}/assessments',
  tags,
  summary: 'Add an assessment with its items',
  request: { ...one, ...body(AssessmentInput) },
  responses: { 201: answer(Assessment, 'Created'), ...refusals },
})

const show = createRoute({
  method: 'get',
  path: '/{id}/assessments/{userId}',
  tags,
  summary: 'The assessments of one learner item by item, as far as whoever asks may read them',
  request: ofLearner,
  responses: { 200: answer(LearnerAssessments), ...refusals },
})

const update = createRoute({
  method: 'put',
  path: '/{id}',
  tags,
  summary: 'Change an assessment; once somebody submitted, only its name and its end',
  request: { ...one, ...body(AssessmentChange) },
  responses: { 200: answer(Assessment), ...refusals },
})

const remove = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  summary: 'Delete an assessment, or close one that somebody submitted',
  request: { ...one, query: SeenQuery },
  responses: { 200: answer(NOTHING), ...refusals },
})

const fill = createRoute({
  method: 'put',
  path: '/{id}/forms/{userId}',
  tags,
  summary: 'Answer one’s own form about a learner, in parts or to submit it',
  request: { ...ofLearner, ...body(AnswersInput) },
  responses: { 200: answer(LearnerAssessments), ...refusals },
})

const reopen = createRoute({
  method: 'post',
  path: '/{id}/forms/{userId}/reopen',
  tags,
  summary: 'Open a form again, as a new revision',
  request: { ...ofLearner, ...body(ReopenInput) },
  responses: { 200: answer(LearnerAssessments), ...refusals },
})

const owed = createRoute({
  method: 'get',
  path: '/assessments',
  tags,
  summary: 'The assessments that wait for whoever asks, about themselves and others',
  request: { query: z.object({ journey: z.coerce.number().int().positive().optional() }) },
  responses: { 200: answer(OwedForms), ...refusals },
})

export const journeyAssessmentsApi = createRouter()
  .openapi(list, async (c) =>
    c.json(await listAssessments(c.var.scope, c.req.valid('param').id, c.req.valid('query')), 200),
  )
  .openapi(create, async (c) =>
    c.json(await createAssessment(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 201),
  )
  .openapi(show, async (c) => {
    const { id, userId } = c.req.valid('param')
    return c.json(await getLearnerAssessments(c.var.scope, id, userId), 200)
  })

export const assessmentsApi = createRouter()
  .openapi(update, async (c) =>
    c.json(await updateAssessment(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(remove, async (c) => {
    await deleteAssessment(c.var.scope, c.req.valid('param').id, c.req.valid('query'))
    return c.json({}, 200)
  })
  .openapi(fill, async (c) => {
    const { id, userId } = c.req.valid('param')
    return c.json(await fillIn(c.var.scope, id, userId, c.req.valid('json')), 200)
  })
  .openapi(reopen, async (c) => {
    const { id, userId } = c.req.valid('param')
    return c.json(await reopenForm(c.var.scope, id, userId, c.req.valid('json')), 200)
  })

export const owedFormsApi = createRouter().openapi(owed, async (c) =>
  c.json({ data: await listOwed(c.var.scope, c.req.valid('query').journey) }, 200),
)

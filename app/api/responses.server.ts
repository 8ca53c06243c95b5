/** Answers of learners, as their questions promise them to those who run the journey. */
import { createRoute, z } from '@hono/zod-openapi'
import { getLearnerResponses } from '#app/domain/responses/learner-responses.server.ts'
import { listLiftResponses } from '#app/domain/responses/lift-responses.server.ts'
import {
  LearnerResponses,
  LearnerResponsesQuery,
  ResponsePage,
  ResponseQuery,
} from '#app/domain/responses/response.ts'
import { answer, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Responses']

const ofLift = createRoute({
  method: 'get',
  path: '/{id}/responses',
  tags,
  summary: 'Who answered what in a lift, or to one of its questions; the newest first',
  description: 'Answers that only their learner may read, or that are only counted, are left out.',
  request: { params: z.object({ id: NumericId }), query: ResponseQuery },
  responses: { 200: answer(ResponsePage), ...refusals },
})

const ofLearner = createRoute({
  method: 'get',
  path: '/{id}/learners/{userId}/responses',
  tags,
  summary: 'What one learner did with each lift of the journey, when, and what they answered',
  request: {
    params: z.object({ id: NumericId, userId: NumericId }),
    query: LearnerResponsesQuery,
  },
  responses: { 200: answer(LearnerResponses), ...refusals },
})

export const liftResponsesApi = createRouter().openapi(ofLift, async (c) =>
  c.json(await listLiftResponses(c.var.scope, c.req.valid('param').id, c.req.valid('query')), 200),
)

export const learnerResponsesApi = createRouter().openapi(ofLearner, async (c) => {
  const { id, userId } = c.req.valid('param')
  return c.json(await getLearnerResponses(c.var.scope, id, userId, c.req.valid('query')), 200)
})

/** What the one who is signed in has to learn. */
import { createRoute, z } from '@hono/zod-openapi'
import { getLearnerJourney } from '#app/domain/participants/learner-journey.server.ts'
import { LearnerJourneyPage } from '#app/domain/participants/learner-journey.ts'
import { listLearnerJourneys, listTodo } from '#app/domain/participants/learning.server.ts'
import { LearnerJourneys, Todo } from '#app/domain/participants/learning.ts'
import { answer, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Learner']

const journeys = createRoute({
  method: 'get',
  path: '/lljs',
  tags,
  summary: 'One’s own journeys with their progress',
  responses: { 200: answer(LearnerJourneys), ...refusals },
})

const journey = createRoute({
  method: 'get',
  path: '/lljs/{id}',
  tags,
  summary: 'One of one’s own journeys: what has come, what waits, what is still to come',
  request: { params: z.object({ id: NumericId }) },
  responses: { 200: answer(LearnerJourneyPage), ...refusals },
})

const todo = createRoute({
  method: 'get',
  path: '/todo',
  tags,
  summary: 'The lifts that wait for an answer',
  responses: { 200: answer(Todo), ...refusals },
})

export const learnerApi = createRouter()
  .openapi(journeys, async (c) => c.json(await listLearnerJourneys(c.var.scope), 200))
  .openapi(journey, async (c) => c.json(await getLearnerJourney(c.var.scope, c.req.valid('param').id), 200))
  .openapi(todo, async (c) => c.json(await listTodo(c.var.scope), 200))

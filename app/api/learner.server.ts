/** What the one who is signed in has to learn. */
import { createRoute } from '@hono/zod-openapi'
import { listLearnerJourneys, listTodo } from '#app/domain/members/learning.server.ts'
import { LearnerJourneys, Todo } from '#app/domain/members/learning.ts'
import { answer, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Learner']

const journeys = createRoute({
  method: 'get',
  path: '/lljs',
  tags,
  summary: 'One’s own journeys with their progress',
  responses: { 200: answer(LearnerJourneys), ...refusals },
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
  .openapi(todo, async (c) => c.json(await listTodo(c.var.scope), 200))

/** The three reports; they share their filters. */
import { createRoute } from '@hono/zod-openapi'
import { getByLift, getByUser, getOverview } from '#app/domain/analytics/analytics.server.ts'
import { AnalyticsQuery, ByLift, ByUser, Overview } from '#app/domain/analytics/figures.ts'
import { answer, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Analytics']
const request = { query: AnalyticsQuery }

const overview = createRoute({
  method: 'get',
  path: '/overview',
  tags,
  summary: 'Coverage, delivery, opens, answers and completion, each with n and d',
  request,
  responses: { 200: answer(Overview), ...refusals },
})

const byUser = createRoute({
  method: 'get',
  path: '/by_user',
  tags,
  summary: 'The same figures, a row per learner',
  request,
  responses: { 200: answer(ByUser), ...refusals },
})

const byLift = createRoute({
  method: 'get',
  path: '/by_lift',
  tags,
  summary: 'The same figures, a row per lift; with one lift, its questions too',
  request,
  responses: { 200: answer(ByLift), ...refusals },
})

export const analyticsApi = createRouter()
  .openapi(overview, async (c) => c.json(await getOverview(c.var.scope, c.req.valid('query')), 200))
  .openapi(byUser, async (c) => c.json(await getByUser(c.var.scope, c.req.valid('query')), 200))
  .openapi(byLift, async (c) => c.json(await getByLift(c.var.scope, c.req.valid('query')), 200))

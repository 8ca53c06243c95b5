/** The schedule of a journey: looked at from any moment, and the journey moved from state to state. */
import { createRoute, z } from '@hono/zod-openapi'
import { Journey } from '#app/domain/journeys/journey.ts'
import { previewSchedule } from '#app/domain/planning/preview.server.ts'
import { Preview, PreviewInput, PreviewQuery } from '#app/domain/planning/preview.ts'
import {
  archiveJourney,
  completeJourney,
  pauseJourney,
  resumeJourney,
} from '#app/domain/running/lifecycle.server.ts'
import { ResumeInput } from '#app/domain/running/lifecycle.ts'
import { answer, body, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Schedules']
const one = { params: z.object({ id: NumericId }) }

const preview = createRoute({
  method: 'get',
  path: '/{id}/schedule/preview',
  tags,
  summary: 'Who gets what, when, on which channel, and why then',
  request: { ...one, query: PreviewQuery },
  responses: { 200: answer(Preview), ...refusals },
})

const whatIf = createRoute({
  method: 'post',
  path: '/{id}/schedule/preview',
  tags,
  summary: 'The same with draft changes; nothing is stored. `impact` says what saving them would do',
  request: { ...one, ...body(PreviewInput) },
  responses: { 200: answer(Preview), ...refusals },
})

const step = (name: 'pause' | 'complete' | 'archive', summary: string) =>
  createRoute({
    method: 'post',
    path: `/{id}/${name}`,
    tags,
    summary,
    request: one,
    responses: { 200: answer(Journey), ...refusals },
  })

const resume = createRoute({
  method: 'post',
  path: '/{id}/resume',
  tags,
  summary: 'Go on: `shift` keeps the gaps between lifts, `skip` leaves out what fell into the pause',
  request: { ...one, ...body(ResumeInput) },
  responses: { 200: answer(Journey), ...refusals },
})

export const schedulesApi = createRouter()
  .openapi(preview, async (c) =>
    c.json(
      await previewSchedule(c.var.scope, c.req.valid('param').id, { ...c.req.valid('query'), changes: {} }),
      200,
    ),
  )
  .openapi(whatIf, async (c) =>
    c.json(await previewSchedule(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(step('pause', 'Hold everything that has not left'), async (c) =>
    c.json(await pauseJourney(c.var.scope, c.req.valid('param').id), 200),
  )
  .openapi(resume, async (c) =>
    c.json(await resumeJourney(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(step('complete', 'End it: what has not left is cancelled, answers stay'), async (c) =>
    c.json(await completeJourney(c.var.scope, c.req.valid('param').id), 200),
  )
  .openapi(step('archive', 'Put it away, readable'), async (c) =>
    c.json(await archiveJourney(c.var.scope, c.req.valid('param').id), 200),
  )

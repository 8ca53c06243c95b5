/** Journeys (LLJs): written, scheduled, launched. */
import { createRoute, z } from '@hono/zod-openapi'
import { listJourneyChoices } from '#app/domain/journeys/choices.server.ts'
import {
  Journey,
  JourneyChange,
  JourneyChoices,
  JourneyInput,
  JourneyQuery,
  JourneyRow,
  LaunchInput,
} from '#app/domain/journeys/journey.ts'
import {
  createJourney,
  deleteJourney,
  getJourney,
  listJourneys,
} from '#app/domain/journeys/journeys.server.ts'
import { Lift, LiftInput, LiftName } from '#app/domain/lifts/lift.ts'
import { listLiftNames } from '#app/domain/lifts/lifts.server.ts'
import { pageOf } from '#app/domain/page.ts'
import { changeJourney } from '#app/domain/running/edit-journey.server.ts'
import { createLift } from '#app/domain/running/edit-lifts.server.ts'
import { launchJourney } from '#app/domain/running/launch.server.ts'
import { getTimeline } from '#app/domain/running/timeline.server.ts'
import { Timeline, TimelineQuery } from '#app/domain/running/timeline.ts'
import { answer, body, NOTHING, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'
import { schedulesApi } from './schedules.server.ts'

const tags = ['Journeys']
const one = { params: z.object({ id: NumericId }) }

const list = createRoute({
  method: 'get',
  path: '/',
  tags,
  summary: 'A page of journeys; authors see their own',
  request: { query: JourneyQuery },
  responses: { 200: answer(pageOf(JourneyRow)), ...refusals },
})

const choices = createRoute({
  method: 'get',
  path: '/data',
  tags,
  summary: 'What forms and filters offer: journeys, categories, authors',
  responses: { 200: answer(JourneyChoices), ...refusals },
})

const create = createRoute({
  method: 'post',
  path: '/',
  tags,
  summary: 'Create a draft',
  request: body(JourneyInput),
  responses: { 201: answer(Journey, 'Created'), ...refusals },
})

const show = createRoute({
  method: 'get',
  path: '/{id}',
  tags,
  summary: 'One journey',
  request: one,
  responses: { 200: answer(Journey), ...refusals },
})

const update = createRoute({
  method: 'put',
  path: '/{id}',
  tags,
  summary: 'Change a journey; what is left out stays',
  request: { ...one, ...body(JourneyChange) },
  responses: { 200: answer(Journey), ...refusals },
})

const remove = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  summary: 'Delete a draft',
  request: one,
  responses: { 200: answer(NOTHING), ...refusals },
})

const launch = createRoute({
  method: 'post',
  path: '/{id}/launch',
  tags,
  summary: 'Launch a draft: plans every learner’s turns; a 422 lists what stands in the way',
  request: { ...one, ...body(LaunchInput) },
  responses: { 200: answer(Journey), ...refusals },
})

const schedule = createRoute({
  method: 'get',
  path: '/{id}/schedule',
  tags,
  summary: 'A page of the lifts of a journey in order, how far each got, and what a launch would meet',
  request: { ...one, query: TimelineQuery },
  responses: { 200: answer(Timeline), ...refusals },
})

const liftNames = createRoute({
  method: 'get',
  path: '/{id}/lifts',
  tags,
  summary: 'All lifts of a journey by name, in their order',
  request: one,
  responses: { 200: answer(z.object({ data: z.array(LiftName) })), ...refusals },
})

const addLift = createRoute({
  method: 'post',
  path: '/{id}/lifts',
  tags,
  summary: 'Add a lift at the end',
  request: { ...one, ...body(LiftInput) },
  responses: { 201: answer(Lift, 'Created'), ...refusals },
})

export const journeysApi = createRouter()
  .openapi(list, async (c) => c.json(await listJourneys(c.var.scope, c.req.valid('query')), 200))
  .openapi(choices, async (c) => c.json(await listJourneyChoices(c.var.scope), 200))
  .openapi(create, async (c) => c.json(await createJourney(c.var.scope, c.req.valid('json')), 201))
  .openapi(show, async (c) => c.json(await getJourney(c.var.scope, c.req.valid('param').id), 200))
  .openapi(update, async (c) =>
    c.json(await changeJourney(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(remove, async (c) => {
    await deleteJourney(c.var.scope, c.req.valid('param').id)
    return c.json({}, 200)
  })
  .openapi(launch, async (c) =>
    c.json(await launchJourney(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(schedule, async (c) =>
    c.json(await getTimeline(c.var.scope, c.req.valid('param').id, c.req.valid('query')), 200),
  )
  .openapi(liftNames, async (c) =>
    c.json({ data: await listLiftNames(c.var.scope, c.req.valid('param').id) }, 200),
  )
  .openapi(addLift, async (c) =>
    c.json(await createLift(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 201),
  )
  .route('/', schedulesApi)

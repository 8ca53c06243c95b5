/** The learning objectives of a journey: below its path, and by their own. */
import { createRoute, z } from '@hono/zod-openapi'
import { Objective, ObjectiveChange, ObjectiveInput, Objectives } from '#app/domain/objectives/objective.ts'
import {
  createObjective,
  deleteObjective,
  listObjectives,
  updateObjective,
} from '#app/domain/objectives/objectives.server.ts'
import { SeenQuery } from '#app/domain/optimistic-lock.ts'
import { answer, body, NOTHING, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Learning objectives']
const one = { params: z.object({ id: NumericId }) }

const list = createRoute({
  method: 'get',
  path: '/{id}/learning_objectives',
  tags,
  summary: 'The learning objectives of a journey, in order',
  request: one,
  responses: { 200: answer(Objectives), ...refusals },
})

const create = createRoute({
  method: 'post',
  path: '/{id}/learning_objectives',
  tags,
  summary: 'Add a learning objective',
  request: { ...one, ...body(ObjectiveInput) },
  responses: { 201: answer(Objective, 'Created'), ...refusals },
})

const update = createRoute({
  method: 'put',
  path: '/{id}',
  tags,
  summary: 'Change a learning objective',
  request: { ...one, ...body(ObjectiveChange) },
  responses: { 200: answer(Objective), ...refusals },
})

const remove = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  summary: 'Delete a learning objective, or retire one in use',
  request: { ...one, query: SeenQuery },
  responses: { 200: answer(NOTHING), ...refusals },
})

export const journeyObjectivesApi = createRouter()
  .openapi(list, async (c) =>
    c.json({ data: await listObjectives(c.var.scope, c.req.valid('param').id) }, 200),
  )
  .openapi(create, async (c) =>
    c.json(await createObjective(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 201),
  )

export const objectivesApi = createRouter()
  .openapi(update, async (c) =>
    c.json(await updateObjective(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(remove, async (c) => {
    await deleteObjective(c.var.scope, c.req.valid('param').id, c.req.valid('query'))
    return c.json({}, 200)
  })

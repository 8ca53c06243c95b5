/** What authors do with whole journeys: hand over, duplicate, put in order, take along as a file and bring in. */
import { createRoute, z } from '@hono/zod-openapi'
import { AuthorChange, changeAuthor } from '#app/domain/journeys/authorship.server.ts'
import { Journey } from '#app/domain/journeys/journey.ts'
import { Lift } from '#app/domain/lifts/lift.ts'
import { DuplicateInput, ImportInput, ImportResult } from '#app/domain/running/documents/document.ts'
import {
  duplicateJourney,
  importJourney,
  writeJourneyFile,
} from '#app/domain/running/documents/documents.server.ts'
import { LiftOrder, orderLifts } from '#app/domain/running/reorder-lifts.server.ts'
import { answer, body, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Journeys']
const one = { params: z.object({ id: NumericId }) }

const author = createRoute({
  method: 'patch',
  path: '/{id}/author',
  tags,
  summary: 'Hand a journey over to another author',
  request: { ...one, ...body(AuthorChange) },
  responses: { 200: answer(Journey), ...refusals },
})

const duplicate = createRoute({
  method: 'post',
  path: '/{id}/duplicate',
  tags,
  summary: 'A new draft with the settings of this journey, its lifts and objectives as chosen',
  request: { ...one, ...body(DuplicateInput) },
  responses: { 201: answer(Journey, 'Created'), ...refusals },
})

const order = createRoute({
  method: 'patch',
  path: '/{id}/lifts/order',
  tags,
  summary: 'All lifts of a journey in their new order',
  request: { ...one, ...body(LiftOrder) },
  responses: { 200: answer(z.object({ data: z.array(Lift) })), ...refusals },
})

const file = createRoute({
  method: 'get',
  path: '/{id}/file',
  tags,
  summary: 'The journey as one readable text: its settings, lifts, questions and schedule',
  request: one,
  responses: {
    200: { content: { 'text/markdown': { schema: z.string() } }, description: 'OK' },
    ...refusals,
  },
})

const bringIn = createRoute({
  method: 'post',
  path: '/import',
  tags,
  summary: 'Read a journey’s file; a dry run only says what is wrong and what could be better',
  request: body(ImportInput),
  responses: { 200: answer(ImportResult), ...refusals },
})

export const authoringApi = createRouter()
  .openapi(bringIn, async (c) => c.json(await importJourney(c.var.scope, c.req.valid('json')), 200))
  .openapi(author, async (c) =>
    c.json(await changeAuthor(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(duplicate, async (c) =>
    c.json(await duplicateJourney(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 201),
  )
  .openapi(order, async (c) =>
    c.json({ data: await orderLifts(c.var.scope, c.req.valid('param').id, c.req.valid('json')) }, 200),
  )
  .openapi(file, async (c) => {
    const { name, text } = await writeJourneyFile(c.var.scope, c.req.valid('param').id)
    const fileName = encodeURIComponent(`${name}.md`)
    return c.body(text, 200, {
      'content-type': 'text/markdown; charset=utf-8',
      'content-disposition': `attachment; filename*=UTF-8''${fileName}`,
    })
  })

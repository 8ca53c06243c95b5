/** The testing tenant's outbox, for super admins. */
import { createRoute } from '@hono/zod-openapi'
import { listOutbox } from '#app/domain/outbox/outbox.server.ts'
import { OutboxPage, OutboxQuery } from '#app/domain/outbox/outbox.ts'
import { answer, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const outbox = createRoute({
  method: 'get',
  path: '/outbox',
  tags: ['Testing'],
  summary: 'Every mail and text that left the testing tenant',
  request: { query: OutboxQuery },
  responses: { 200: answer(OutboxPage), ...refusals },
})

export const testingApi = createRouter().openapi(outbox, async (c) =>
  c.json(await listOutbox(c.var.scope, c.req.valid('query')), 200),
)

/** The testing tenant's outbox and its phones, for super admins. */
import { createRoute } from '@hono/zod-openapi'
import { listOutbox } from '#app/domain/outbox/outbox.server.ts'
import { OutboxPage, OutboxQuery, TestText, TestTextReceived } from '#app/domain/outbox/outbox.ts'
import { answerAsPhone } from '#app/domain/sending/receive-text.server.ts'
import { answer, body, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Testing']

const outbox = createRoute({
  method: 'get',
  path: '/outbox',
  tags,
  summary: 'Every mail and text that left the testing tenant',
  request: { query: OutboxQuery },
  responses: { 200: answer(OutboxPage), ...refusals },
})

const texts = createRoute({
  method: 'post',
  path: '/texts',
  tags,
  summary: 'Text the testing tenant as one of its phones: STOP, START, HELP, or anything',
  request: body(TestText),
  responses: { 201: answer(TestTextReceived, 'Received'), ...refusals },
})

export const testingApi = createRouter()
  .openapi(outbox, async (c) => c.json(await listOutbox(c.var.scope, c.req.valid('query')), 200))
  .openapi(texts, async (c) => c.json(await answerAsPhone(c.var.scope, c.req.valid('json')), 201))

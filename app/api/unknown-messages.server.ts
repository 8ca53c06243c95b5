/** Messages of which nobody knows whether they arrived: listed, and decided by people. */
import { createRoute } from '@hono/zod-openapi'
import { decide } from '#app/domain/unknown-messages/deciding.server.ts'
import { foreseeResend } from '#app/domain/unknown-messages/prospect.server.ts'
import {
  Decided,
  DecisionInput,
  ResendProspect,
  ResendQuery,
  UnknownMessagePage,
  UnknownMessageQuery,
} from '#app/domain/unknown-messages/unknown-message.ts'
import { listUnknownMessages } from '#app/domain/unknown-messages/unknown-messages.server.ts'
import { answer, body, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Messages']

const list = createRoute({
  method: 'get',
  path: '/',
  tags,
  summary:
    'Messages of which nobody knows whether they arrived, newest first; for authors those of their own',
  request: { query: UnknownMessageQuery },
  responses: { 200: answer(UnknownMessagePage), ...refusals },
})

const foresee = createRoute({
  method: 'get',
  path: '/send_again',
  tags,
  summary: 'What sending them again would do: how many, by which way, and which not',
  request: { query: ResendQuery },
  responses: { 200: answer(ResendProspect), ...refusals },
})

const settle = createRoute({
  method: 'post',
  path: '/decisions',
  tags,
  summary: 'Decide that they arrived, did not, or are sent again; each is decided once',
  request: body(DecisionInput),
  responses: { 200: answer(Decided), ...refusals },
})

export const unknownMessagesApi = createRouter()
  .openapi(list, async (c) => c.json(await listUnknownMessages(c.var.scope, c.req.valid('query')), 200))
  .openapi(foresee, async (c) => c.json(await foreseeResend(c.var.scope, c.req.valid('query')), 200))
  .openapi(settle, async (c) => c.json(await decide(c.var.scope, c.req.valid('json')), 200))

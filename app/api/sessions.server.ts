/** Where one is signed in. */
import { createRoute, z } from '@hono/zod-openapi'
import { endOtherSessions, endOwnSession, listSessions } from '#app/auth/session-list.server.ts'
import { Session, SessionId } from '#app/domain/users/session.ts'
import { answer, NOTHING, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Sessions']

const list = createRoute({
  method: 'get',
  path: '/me/sessions',
  tags,
  summary: 'Where the person is signed in, the latest first',
  responses: { 200: answer(z.object({ data: z.array(Session) })), ...refusals },
})

const remove = createRoute({
  method: 'delete',
  path: '/me/sessions/{id}',
  tags,
  summary: 'Log out there: at once, with the access token it held',
  request: { params: z.object({ id: SessionId }) },
  responses: { 200: answer(NOTHING), ...refusals },
})

const removeOthers = createRoute({
  method: 'delete',
  path: '/me/sessions',
  tags,
  summary: 'Log out everywhere but here',
  responses: { 200: answer(NOTHING), ...refusals },
})

const tokenOf = (header: string | undefined): string => (header ?? '').replace(/^Bearer /, '')

export const sessionsApi = createRouter()
  .openapi(list, async (c) =>
    c.json({ data: await listSessions(c.var.scope, tokenOf(c.req.header('authorization'))) }, 200),
  )
  .openapi(remove, async (c) => {
    await endOwnSession(c.var.scope, c.req.valid('param').id)
    return c.json({}, 200)
  })
  .openapi(removeOthers, async (c) => {
    await endOtherSessions(c.var.scope, tokenOf(c.req.header('authorization')))
    return c.json({}, 200)
  })

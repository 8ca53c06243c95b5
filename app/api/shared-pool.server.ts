/** The sign-in that companies share unless they have one of their own. */
import { createRoute } from '@hono/zod-openapi'
import { getSharedPool, updateSharedPool } from '#app/auth/shared-pool.server.ts'
import { SharedPool, SharedPoolInput } from '#app/domain/pools/screen-rules.ts'
import { answer, body, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Tenants']

const show = createRoute({
  method: 'get',
  path: '/shared',
  tags,
  summary: 'The rules of the sign-in that companies share (super admins)',
  responses: { 200: answer(SharedPool), ...refusals },
})

const update = createRoute({
  method: 'put',
  path: '/shared',
  tags,
  summary: 'Change the rules of the sign-in that companies share (super admins)',
  request: body(SharedPoolInput),
  responses: { 200: answer(SharedPool), ...refusals },
})

export const sharedPoolApi = createRouter()
  .openapi(show, async (c) => c.json(await getSharedPool(c.var.scope), 200))
  .openapi(update, async (c) => c.json(await updateSharedPool(c.var.scope, c.req.valid('json')), 200))

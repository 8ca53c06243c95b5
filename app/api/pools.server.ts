/** How the people of a tenant sign in. */
import { createRoute, z } from '@hono/zod-openapi'
import { checkPool } from '#app/auth/pool-check.server.ts'
import { getTenantPool, imaginePool, updateTenantPool } from '#app/auth/pool-editing.server.ts'
import { PoolInput, PoolReport, TenantPool } from '#app/domain/pools/pool.ts'
import { answer, body, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Tenants']
const one = { params: z.object({ id: z.uuid() }) }

const show = createRoute({
  method: 'get',
  path: '/{id}/pool',
  tags,
  summary: 'How the tenant’s people sign in (super admins)',
  request: one,
  responses: { 200: answer(TenantPool), ...refusals },
})

const update = createRoute({
  method: 'put',
  path: '/{id}/pool',
  tags,
  summary: 'Change how they sign in: those who are signed in by another way are logged out (super admins)',
  request: { ...one, ...body(PoolInput) },
  responses: { 200: answer(TenantPool), ...refusals },
})

const test = createRoute({
  method: 'post',
  path: '/{id}/pool/test',
  tags,
  summary: 'Try a configuration out before it is kept; says what the provider says of itself (super admins)',
  request: { ...one, ...body(PoolInput) },
  responses: { 200: answer(PoolReport), ...refusals },
})

export const poolsApi = createRouter()
  .openapi(show, async (c) => c.json(await getTenantPool(c.var.scope, c.req.valid('param').id), 200))
  .openapi(update, async (c) =>
    c.json(await updateTenantPool(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(test, async (c) =>
    c.json(
      await checkPool(await imaginePool(c.var.scope, c.req.valid('param').id, c.req.valid('json'))),
      200,
    ),
  )

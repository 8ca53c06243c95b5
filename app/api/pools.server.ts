/** How the people of a tenant sign in. */
import { createRoute, z } from '@hono/zod-openapi'
import { checkPool } from '#app/auth/pool-check.server.ts'
import { getTenantPool, imaginePool, updateTenantPool } from '#app/auth/pool-editing.server.ts'
import { listRefusals } from '#app/auth/refused-sign-ins.server.ts'
import { pageOf, pageQuery } from '#app/domain/page.ts'
import { PoolInput, PoolReport, TenantPool } from '#app/domain/pools/pool.ts'
import { RefusedSignIn } from '#app/domain/pools/refused-sign-in.ts'
import { answer, body, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'
import { HOLDS_SECRETS } from './idempotency.server.ts'

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
  ...HOLDS_SECRETS,
  method: 'post',
  path: '/{id}/pool/test',
  tags,
  summary: 'Try a configuration out before it is kept; says what the provider says of itself (super admins)',
  request: { ...one, ...body(PoolInput) },
  responses: { 200: answer(PoolReport), ...refusals },
})

const refused = createRoute({
  method: 'get',
  path: '/{id}/pool/refusals',
  tags,
  summary: 'Why people were not signed in there lately, the newest first (super admins)',
  request: { ...one, query: pageQuery(['date']).pick({ page: true, per_page: true }) },
  responses: { 200: answer(pageOf(RefusedSignIn)), ...refusals },
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
  .openapi(refused, async (c) =>
    c.json(await listRefusals(c.var.scope, c.req.valid('param').id, c.req.valid('query')), 200),
  )

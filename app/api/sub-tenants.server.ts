/** The parts of a tenant; below the path of the tenants. */
import { createRoute, z } from '@hono/zod-openapi'
import { pageOf, pageQuery } from '#app/domain/page.ts'
import { restoreSubTenant } from '#app/domain/tenants/restoring.server.ts'
import {
  SUB_TENANT_ORDERS,
  SubTenant,
  SubTenantChange,
  SubTenantInput,
  SubTenantRow,
} from '#app/domain/tenants/sub-tenant.ts'

import {
  createSubTenant,
  deleteSubTenant,
  getSubTenant,
  listSubTenants,
  updateSubTenant,
} from '#app/domain/tenants/sub-tenants.server.ts'
import { answer, body, NOTHING, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'
import { TenantRef } from './tenants.server.ts'

const tags = ['Sub-tenants']
const all = { params: z.object({ id: TenantRef }) }
const one = { params: z.object({ id: TenantRef, subId: z.uuid() }) }

const list = createRoute({
  method: 'get',
  path: '/{id}/sub_tenants',
  tags,
  summary: 'A page of the sub-tenants of a tenant',
  request: { ...all, query: pageQuery(SUB_TENANT_ORDERS).extend({ deleted: z.stringbool().default(false) }) },
  responses: { 200: answer(pageOf(SubTenantRow)), ...refusals },
})

const create = createRoute({
  method: 'post',
  path: '/{id}/sub_tenants',
  tags,
  summary: 'Create a sub-tenant of a Multi Tenant customer',
  request: { ...all, ...body(SubTenantInput) },
  responses: { 201: answer(SubTenant, 'Created'), ...refusals },
})

const show = createRoute({
  method: 'get',
  path: '/{id}/sub_tenants/{subId}',
  tags,
  summary: 'One sub-tenant',
  request: one,
  responses: { 200: answer(SubTenant), ...refusals },
})

const update = createRoute({
  method: 'put',
  path: '/{id}/sub_tenants/{subId}',
  tags,
  summary: 'Change a sub-tenant; what is left out stays',
  request: { ...one, ...body(SubTenantChange) },
  responses: { 200: answer(SubTenant), ...refusals },
})

const remove = createRoute({
  method: 'delete',
  path: '/{id}/sub_tenants/{subId}',
  tags,
  summary: 'Delete a sub-tenant: nobody enters it from then on',
  request: one,
  responses: { 200: answer(NOTHING), ...refusals },
})

const restore = createRoute({
  method: 'post',
  path: '/{id}/sub_tenants/{subId}/restore',
  tags,
  summary:
    'Bring back a sub-tenant that was deleted in the last 30 days; it stays inactive until it is opened',
  request: one,
  responses: { 200: answer(SubTenant), ...refusals },
})

export const subTenantsApi = createRouter()
  .openapi(list, async (c) =>
    c.json(await listSubTenants(c.var.scope, c.req.valid('param').id, c.req.valid('query')), 200),
  )
  .openapi(create, async (c) =>
    c.json(await createSubTenant(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 201),
  )
  .openapi(show, async (c) => {
    const { id, subId } = c.req.valid('param')
    return c.json(await getSubTenant(c.var.scope, id, subId), 200)
  })
  .openapi(update, async (c) => {
    const { id, subId } = c.req.valid('param')
    return c.json(await updateSubTenant(c.var.scope, id, subId, c.req.valid('json')), 200)
  })
  .openapi(remove, async (c) => {
    const { id, subId } = c.req.valid('param')
    await deleteSubTenant(c.var.scope, id, subId)
    return c.json({}, 200)
  })
  .openapi(restore, async (c) => {
    const { id, subId } = c.req.valid('param')
    return c.json(await restoreSubTenant(c.var.scope, id, subId), 200)
  })

/** Tenants. */
import { createRoute, z } from '@hono/zod-openapi'
import { pageOf, pageQuery } from '#app/domain/page.ts'
import { listTenantChoices, listTenants } from '#app/domain/tenants/list-tenants.server.ts'
import { restoreTenant } from '#app/domain/tenants/restoring.server.ts'
import { listSubTenantChoices } from '#app/domain/tenants/sub-tenant-lists.server.ts'
import {
  SubTenantSummary,
  TENANT_ORDERS,
  Tenant,
  TenantChange,
  TenantChoice,
  TenantInput,
  TenantRow,
} from '#app/domain/tenants/tenant.ts'
import { createTenant, deleteTenant, getTenant, updateTenant } from '#app/domain/tenants/tenants.server.ts'
import { TIME_ZONES } from '#app/domain/tenants/timezone.ts'
import { answer, body, NOTHING, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Tenants']

/** `me` is the tenant the caller is in. */
export const TenantRef = z.union([z.uuid(), z.literal('me')])
const one = { params: z.object({ id: TenantRef }) }

const list = createRoute({
  method: 'get',
  path: '/',
  tags,
  summary: 'A page of the tenants (super admins)',
  request: {
    query: pageQuery(TENANT_ORDERS).extend({
      include_sub_tenants: z.stringbool().default(false),
      /** Those that wait to be purged. */
      deleted: z.stringbool().default(false),
    }),
  },
  responses: { 200: answer(pageOf(TenantRow)), ...refusals },
})

const create = createRoute({
  method: 'post',
  path: '/',
  tags,
  summary: 'Create a tenant and invite its administrators (super admins)',
  request: body(TenantInput),
  responses: { 201: answer(Tenant, 'Created'), ...refusals },
})

const timezones = createRoute({
  method: 'get',
  path: '/timezones',
  tags,
  summary: 'Every time zone that can be chosen',
  responses: { 200: answer(z.array(z.string())), ...refusals },
})

const choices = createRoute({
  method: 'get',
  path: '/data',
  tags,
  summary: 'The tenants and sub-tenants the caller may enter: for switchers and selects',
  request: { query: z.object({ q: z.string().trim().max(200).default('') }) },
  responses: { 200: answer(z.object({ data: z.array(TenantChoice) })), ...refusals },
})

const subTenantChoices = createRoute({
  method: 'get',
  path: '/tenant/sub_tenants/data',
  tags: ['Sub-tenants'],
  summary: 'The active sub-tenants of the current tenant that the caller may enter',
  responses: { 200: answer(z.object({ data: z.array(SubTenantSummary) })), ...refusals },
})

const show = createRoute({
  method: 'get',
  path: '/{id}',
  tags,
  summary: 'One tenant; `me` is the current one',
  request: one,
  responses: { 200: answer(Tenant), ...refusals },
})

const update = createRoute({
  method: 'put',
  path: '/{id}',
  tags,
  summary: 'Change a tenant; what is left out stays (super admins)',
  request: { ...one, ...body(TenantChange) },
  responses: { 200: answer(Tenant), ...refusals },
})

const remove = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  summary: 'Delete a tenant: its people are logged out at once (super admins)',
  request: one,
  responses: { 200: answer(NOTHING), ...refusals },
})

const restore = createRoute({
  method: 'post',
  path: '/{id}/restore',
  tags,
  summary: 'Bring back a tenant that was deleted in the last 30 days; it stays inactive until it is opened',
  request: one,
  responses: { 200: answer(Tenant), ...refusals },
})

export const tenantsApi = createRouter()
  .openapi(list, async (c) => c.json(await listTenants(c.var.scope, c.req.valid('query')), 200))
  .openapi(create, async (c) => c.json(await createTenant(c.var.scope, c.req.valid('json')), 201))
  .openapi(timezones, async (c) => c.json([...TIME_ZONES], 200))
  .openapi(choices, async (c) =>
    c.json({ data: await listTenantChoices(c.var.scope, c.req.valid('query').q) }, 200),
  )
  .openapi(subTenantChoices, async (c) => c.json({ data: await listSubTenantChoices(c.var.scope) }, 200))
  .openapi(show, async (c) => c.json(await getTenant(c.var.scope, c.req.valid('param').id), 200))
  .openapi(update, async (c) =>
    c.json(await updateTenant(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(remove, async (c) => {
    await deleteTenant(c.var.scope, c.req.valid('param').id)
    return c.json({}, 200)
  })
  .openapi(restore, async (c) => c.json(await restoreTenant(c.var.scope, c.req.valid('param').id), 200))

/** What a company, or a part of one, settles about itself; below the path of the tenants. */
import { createRoute, z } from '@hono/zod-openapi'
import { updateCompany, updateSubTenantCompany } from '#app/domain/tenants/company.server.ts'
import { CompanyInput, SubTenantCompanyInput } from '#app/domain/tenants/company.ts'
import { SubTenant } from '#app/domain/tenants/sub-tenant.ts'
import { Tenant } from '#app/domain/tenants/tenant.ts'
import { answer, body, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'
import { TenantRef } from './tenants.server.ts'

const tags = ['Company']

const tenant = createRoute({
  method: 'put',
  path: '/{id}/company',
  tags,
  summary: 'Name, logo, categories, time zone, quiet hours and rules of a company',
  request: { params: z.object({ id: TenantRef }), ...body(CompanyInput) },
  responses: { 200: answer(Tenant), ...refusals },
})

const subTenant = createRoute({
  method: 'put',
  path: '/{id}/sub_tenants/{subId}/company',
  tags,
  summary: 'Name, logo, categories, time zone and rules of a sub-tenant; null puts the company’s back',
  request: { params: z.object({ id: TenantRef, subId: z.uuid() }), ...body(SubTenantCompanyInput) },
  responses: { 200: answer(SubTenant), ...refusals },
})

export const companyApi = createRouter()
  .openapi(tenant, async (c) =>
    c.json(await updateCompany(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(subTenant, async (c) => {
    const { id, subId } = c.req.valid('param')
    return c.json(await updateSubTenantCompany(c.var.scope, id, subId, c.req.valid('json')), 200)
  })

import { z } from 'zod'
import { callsAbout } from '#app/api/contract/call.ts'
import { PICTURE_BYTES } from '#app/api/contract/limits.ts'
import { NOTHING, TenantRef } from '#app/api/contract/parts.ts'
import { pageOf, pageQuery } from '#app/domain/page.ts'
import {
  SUB_TENANT_ORDERS,
  SubTenant,
  SubTenantChange,
  SubTenantInput,
  SubTenantRow,
} from '#app/domain/tenants/sub-tenant.ts'
import { SubTenantSummary } from '#app/domain/tenants/tenant.ts'

const { get, post, put, remove } = callsAbout('Sub-tenants')

export const listSubTenantChoices = get('/tenants/tenant/sub_tenants/data', {
  does: 'The active sub-tenants of the current tenant that the caller can enter',
  may: 'signed in',
  keys: true,
  answers: z.object({ data: z.array(SubTenantSummary) }),
  early: { subTenant: true },
})

export const listSubTenants = get('/tenants/{id}/sub_tenants', {
  does: 'A page of the sub-tenants of a tenant',
  may: 'view sub-tenants',
  ids: z.object({ id: TenantRef }),
  query: pageQuery(SUB_TENANT_ORDERS).extend({ deleted: z.stringbool().default(false) }),
  answers: pageOf(SubTenantRow),
})

export const createSubTenant = post('/tenants/{id}/sub_tenants', {
  does: 'Create a sub-tenant of a Multi Tenant customer',
  may: 'manage sub-tenants',
  ids: z.object({ id: TenantRef }),
  body: SubTenantInput,
  answers: SubTenant,
  described: 'Created',
  status: 201,
  bytes: PICTURE_BYTES,
  repeats: 'once',
  audited: true,
})

export const getSubTenant = get('/tenants/{id}/sub_tenants/{subId}', {
  does: 'One sub-tenant',
  may: 'view sub-tenant',
  ids: z.object({ id: TenantRef, subId: z.uuid() }),
  answers: SubTenant,
})

export const updateSubTenant = put('/tenants/{id}/sub_tenants/{subId}', {
  does: 'Change a sub-tenant; what is left out stays',
  may: 'manage sub-tenant',
  ids: z.object({ id: TenantRef, subId: z.uuid() }),
  body: SubTenantChange,
  answers: SubTenant,
  bytes: PICTURE_BYTES,
  audited: true,
})

export const deleteSubTenant = remove('/tenants/{id}/sub_tenants/{subId}', {
  does: 'Delete a sub-tenant: nobody enters it from then on',
  may: 'manage sub-tenant',
  ids: z.object({ id: TenantRef, subId: z.uuid() }),
  answers: NOTHING,
  audited: true,
})

export const restoreSubTenant = post('/tenants/{id}/sub_tenants/{subId}/restore', {
  does: 'Bring back a sub-tenant that was deleted in the last 30 days; it stays inactive until it is opened',
  may: 'restore sub-tenant',
  ids: z.object({ id: TenantRef, subId: z.uuid() }),
  answers: SubTenant,
  audited: true,
})

import { z } from 'zod'
import { callsAbout } from '#app/api/contract/call.ts'
import { PICTURE_BYTES } from '#app/api/contract/limits.ts'
import { ABOUT_ONESELF, NOTHING, TenantRef } from '#app/api/contract/parts.ts'
import { pageOf, pageQuery } from '#app/domain/page.ts'
import {
  ListedTenant,
  TENANT_ORDERS,
  Tenant,
  TenantChange,
  TenantChoice,
  TenantInput,
} from '#app/domain/tenants/tenant.ts'

const { get, post, put, remove } = callsAbout('Tenants')

const isMe = ({ id }: Readonly<Record<string, unknown>>) => id === 'me'

export const listTenants = get('/tenants', {
  does: 'A page of the tenants (super admins)',
  may: 'manage tenants',
  query: pageQuery(TENANT_ORDERS).extend({
    include_sub_tenants: z.stringbool().default(false),
    deleted: z.stringbool().default(false),
  }),
  answers: pageOf(ListedTenant),
})

export const createTenant = post('/tenants', {
  does: 'Create a tenant and invite its administrators (super admins)',
  may: 'manage tenants',
  body: TenantInput,
  answers: Tenant,
  described: 'Created',
  status: 201,
  bytes: PICTURE_BYTES,
  repeats: 'once',
  audited: true,
})

export const listTimezones = get('/tenants/timezones', {
  does: 'Every time zone that can be chosen',
  may: 'signed in',
  keys: true,
  answers: z.array(z.string()),
  early: ABOUT_ONESELF,
})

export const listTenantChoices = get('/tenants/data', {
  does: 'The tenants and sub-tenants the caller can enter: for switchers and selects',
  may: 'signed in',
  query: z.object({ q: z.string().trim().max(200).default('') }),
  answers: z.object({ data: z.array(TenantChoice) }),
})

export const getTenant = get('/tenants/{id}', {
  does: 'One tenant; `me` is the current one',
  may: 'view tenant',
  ids: z.object({ id: TenantRef }),
  answers: Tenant,
  early: { terms: isMe, subTenant: isMe },
})

export const updateTenant = put('/tenants/{id}', {
  does: 'Change a tenant; what is left out stays (super admins)',
  may: 'manage tenant',
  ids: z.object({ id: TenantRef }),
  body: TenantChange,
  answers: Tenant,
  bytes: PICTURE_BYTES,
  audited: true,
})

export const deleteTenant = remove('/tenants/{id}', {
  does: 'Delete a tenant: its people are logged out at once (super admins)',
  may: 'manage tenant',
  ids: z.object({ id: TenantRef }),
  answers: NOTHING,
  audited: true,
})

export const restoreTenant = post('/tenants/{id}/restore', {
  does: 'Bring back a tenant that was deleted in the last 30 days; it stays inactive until it is opened',
  may: 'restore tenant',
  ids: z.object({ id: TenantRef }),
  answers: Tenant,
  audited: true,
})

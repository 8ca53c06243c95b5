/** The settings that a tenant or sub-tenant makes for itself; below the path of the tenants. */
import { z } from 'zod'
import { callsAbout } from '#app/api/contract/call.ts'
import { PICTURE_BYTES } from '#app/api/contract/limits.ts'
import { TenantRef } from '#app/api/contract/parts.ts'
import { CompanyInput, SubTenantCompanyInput } from '#app/domain/tenants/company.ts'
import { SubTenant } from '#app/domain/tenants/sub-tenant.ts'
import { Tenant } from '#app/domain/tenants/tenant.ts'

const { put } = callsAbout('Company')

export const updateCompany = put('/tenants/{id}/company', {
  does: 'Name, logo, categories, time zone, quiet hours and rules of a company',
  may: 'edit company',
  ids: z.object({ id: TenantRef }),
  body: CompanyInput,
  answers: Tenant,
  bytes: PICTURE_BYTES,
  audited: true,
})

export const updateSubTenantCompany = put('/tenants/{id}/sub_tenants/{subId}/company', {
  does: 'Name, logo, categories, time zone and rules of a sub-tenant; null puts the company’s back',
  may: 'edit sub-tenant company',
  ids: z.object({ id: TenantRef, subId: z.uuid() }),
  body: SubTenantCompanyInput,
  answers: SubTenant,
  bytes: PICTURE_BYTES,
  audited: true,
})

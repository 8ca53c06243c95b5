import { z } from 'zod'
import { pageSearch } from '#app/domain/page.ts'
import { OrganizationName } from '#app/domain/text/text.ts'
import { SubTenantCompanyForm, SubTenantCompanyInput } from './company.ts'
import { CommonRules, SubTenantRules } from './sub-tenant-rules.ts'
import { AdminInput, AdminRows, SubTenantSummary, TENANT_STATUSES, TenantAdmin } from './tenant.ts'

export const SUB_TENANT_ORDERS = ['date', 'name', 'status'] as const

/** The company can set more fields of a sub-tenant than the sub-tenant itself. */
export const SubTenantInput = SubTenantCompanyInput.omit({ lock_version: true }).extend({
  name: OrganizationName,
  status: z.enum(TENANT_STATUSES).optional(),
  admins: z.array(AdminInput).max(20, 'Please add at most 20 at once').optional(),
})
export type SubTenantInput = z.infer<typeof SubTenantInput>

export const SubTenantChange = SubTenantInput.partial({ name: true }).extend({
  lock_version: z.number().int().min(0).optional(),
})
export type SubTenantChange = z.infer<typeof SubTenantChange>

export const SubTenantForm = SubTenantCompanyForm.extend({
  status: z.enum(TENANT_STATUSES),
  admins: AdminRows,
  /** Absent for a new one. */
  lock_version: z.number().int().min(0).optional(),
})

export const SubTenantRow = SubTenantSummary.extend({
  tenant_id: z.uuid(),
  timezone: z.string().nullable(),
  categories: z.array(z.string()),
  created_on: z.string(),
  updated_on: z.string(),
  /** It can be restored until it is purged. */
  deleted_on: z.string().nullable(),
  lock_version: z.number().int(),
})
export type SubTenantRow = z.infer<typeof SubTenantRow>

export const SubTenant = SubTenantRow.extend({
  admins: z.array(TenantAdmin),
  ...SubTenantRules.shape,
  /** The company's rules, and the rules in force here. */
  of_company: CommonRules,
  in_force: CommonRules,
})
export type SubTenant = z.infer<typeof SubTenant>

/** The search parameters of the list; invalid ones become the default. */
export const SubTenantSearch = z.object({
  ...pageSearch(SUB_TENANT_ORDERS),
})

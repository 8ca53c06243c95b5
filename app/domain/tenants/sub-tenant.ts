/** What a sub-tenant is: a part of a tenant with people, journeys and a look of its own. */
import { z } from 'zod'
import { pageSearch } from '#app/domain/page.ts'
import { requiredLine } from '#app/domain/text.ts'
import { Categories, CategoryLines } from './categories.ts'
import { LogoFile, LogoInput } from './logo.ts'
import { CommonRules, SubTenantRules, SubTenantRulesForm, SubTenantRulesInput } from './sub-tenant-rules.ts'
import { AdminInput, AdminRows, SubTenantSummary, TENANT_STATUSES, TenantAdmin } from './tenant.ts'
import { TimeZone } from './timezone.ts'

export const SUB_TENANT_ORDERS = ['date', 'name', 'status'] as const

/** What a person may change on a sub-tenant. Without a time zone it follows its tenant. */
export const SubTenantInput = z.object({
  name: requiredLine(120),
  status: z.enum(TENANT_STATUSES).optional(),
  timezone: TimeZone.nullable().optional(),
  categories: Categories.optional(),
  logo: LogoInput.nullable().optional(),
  admins: z.array(AdminInput).max(20, 'Please add at most 20 at once').optional(),
  ...SubTenantRulesInput.shape,
})
export type SubTenantInput = z.infer<typeof SubTenantInput>

export const SubTenantChange = SubTenantInput.partial({ name: true }).extend({
  lock_version: z.number().int().min(0).optional(),
})
export type SubTenantChange = z.infer<typeof SubTenantChange>

/** A sub-tenant as a form sends it. */
export const SubTenantForm = z.object({
  name: requiredLine(120),
  status: z.enum(TENANT_STATUSES),
  timezone: TimeZone.optional(),
  categories: CategoryLines,
  logo: LogoFile.optional(),
  remove_logo: z.boolean().default(false),
  admins: AdminRows,
  lock_version: z.number().int().min(0).optional(),
  ...SubTenantRulesForm.shape,
})

/** A sub-tenant as lists show it. */
export const SubTenantRow = SubTenantSummary.extend({
  tenant_id: z.uuid(),
  timezone: z.string().nullable(),
  categories: z.array(z.string()),
  created_on: z.string(),
  updated_on: z.string(),
  /** Until it is purged it can be restored. */
  deleted_on: z.string().nullable(),
  lock_version: z.number().int(),
})
export type SubTenantRow = z.infer<typeof SubTenantRow>

/** A sub-tenant as the API answers it. */
export const SubTenant = SubTenantRow.extend({
  admins: z.array(TenantAdmin),
  ...SubTenantRules.shape,
  /** What its company has settled, and what holds here of both. */
  of_company: CommonRules,
  in_force: CommonRules,
})
export type SubTenant = z.infer<typeof SubTenant>

/** The search parameters of the list; whatever is wrong becomes the default. */
export const SubTenantSearch = z.object({
  ...pageSearch(SUB_TENANT_ORDERS),
  deleted: z.stringbool().catch(false),
})

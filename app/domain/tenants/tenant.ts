/** Safe for the browser: forms validate with the same schema as the server. */
import { z } from 'zod'
import { pageSearch } from '#app/domain/page.ts'
import { EmailAddress, FirstName, LastName, line, OrganizationName } from '#app/domain/text/text.ts'
import { Categories, CategoryLines } from './categories.ts'
import { LogoFile, LogoInput, LogoPath } from './logo.ts'
import { TimeZone } from './timezone.ts'

export const CUSTOMER_TYPES = ['Single Tenant', 'Multi Tenant'] as const
export const TENANT_STATUSES = ['active', 'inactive'] as const
export const TENANT_ORDERS = ['date', 'name', 'status', 'customer_type'] as const

export const AdminInput = z.strictObject({
  first_name: FirstName,
  last_name: LastName.default(''),
  email: EmailAddress,
})
export type AdminInput = z.infer<typeof AdminInput>

export const TenantInput = z.object({
  name: OrganizationName,
  industry: line(120).nullable().optional(),
  customer_type: z.enum(CUSTOMER_TYPES).optional(),
  status: z.enum(TENANT_STATUSES).optional(),
  timezone: TimeZone.optional(),
  plan: line(60).nullable().optional(),
  llj_categories: Categories.optional(),
  logo: LogoInput.nullable().optional(),
  /** New administrators; leaving somebody out removes nobody. */
  admins: z.array(AdminInput).max(20, 'Please add at most 20 at once').optional(),
})
export type TenantInput = z.infer<typeof TenantInput>

export const TenantChange = TenantInput.partial({ name: true }).extend({
  lock_version: z.number().int().min(0).optional(),
})
export type TenantChange = z.infer<typeof TenantChange>

const AdminRow = z
  .object({
    first_name: line(80).default(''),
    last_name: line(80).default(''),
    email: line(254).default(''),
  })
  .superRefine((row, context) => {
    if (isEmptyRow(row)) return
    for (const issue of AdminInput.safeParse(row).error?.issues ?? []) context.addIssue({ ...issue } as never)
  })

const isEmptyRow = (row: Record<string, string>): boolean => Object.values(row).every((value) => value === '')

export const AdminRows = z
  .array(AdminRow)
  .default([])
  .transform((rows) => rows.filter((row) => !isEmptyRow(row)))

export const TenantForm = z.object({
  name: OrganizationName,
  industry: line(120).default(''),
  customer_type: z.enum(CUSTOMER_TYPES),
  status: z.enum(TENANT_STATUSES),
  timezone: TimeZone,
  plan: line(60).default(''),
  llj_categories: CategoryLines,
  logo: LogoFile.optional(),
  remove_logo: z.boolean().default(false),
  admins: AdminRows,
  lock_version: z.number().int().min(0).optional(),
})

export const TenantAdmin = z.object({
  id: z.number().int(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  activation_status: z.enum(['invited', 'active', 'disabled']),
})

export const SubTenantSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  logo: LogoPath,
  status: z.enum(TENANT_STATUSES),
})

export const TenantRow = z.object({
  id: z.uuid(),
  name: z.string(),
  logo: LogoPath,
  industry: z.string().nullable(),
  customer_type: z.enum(CUSTOMER_TYPES),
  status: z.enum(TENANT_STATUSES),
  timezone: z.string(),
  plan: z.string().nullable(),
  llj_categories: z.array(z.string()),
  has_sub_tenants: z.boolean(),
  sub_tenants: z.array(SubTenantSummary).optional(),
  created_on: z.string(),
  updated_on: z.string(),
  /** It can be restored until it is purged. */
  deleted_on: z.string().nullable(),
  lock_version: z.number().int(),
})
export type TenantRow = z.infer<typeof TenantRow>

/** Counted every few minutes; null before the first time. */
export const ListedTenant = TenantRow.extend({
  people: z.number().int().nullable().optional(),
  running_journeys: z.number().int().nullable().optional(),
})
export type ListedTenant = z.infer<typeof ListedTenant>

export const TenantSettings = z.object({
  authors_may_create_drafts: z.boolean(),
  admins_need_second_factor: z.boolean(),
  quiet_hours: z.object({ from: z.string(), to: z.string() }),
  sending_stopped: z.boolean(),
  daily_message_cap: z.number().int().nullable(),
  sign_in_links: z.boolean(),
})

export const Tenant = TenantRow.extend({
  sub_tenants: z.array(SubTenantSummary),
  admins: z.array(TenantAdmin),
  ...TenantSettings.shape,
})
export type Tenant = z.infer<typeof Tenant>

export const TenantChoice = z.object({
  id: z.uuid(),
  name: z.string(),
  logo: LogoPath,
  status: z.enum(TENANT_STATUSES),
  sub_tenants: z.array(SubTenantSummary),
})
export type TenantChoice = z.infer<typeof TenantChoice>

export function hasSubTenants(tenant: { customer_type: string }): boolean {
  return tenant.customer_type === 'Multi Tenant'
}

/** The search parameters of the list; invalid ones become the default. */
export const TenantSearch = z.object({
  ...pageSearch(TENANT_ORDERS),
  role: z.array(z.string().max(40)).max(10).catch([]),
})

import { z } from 'zod'
import { ROLES } from '#app/domain/access/actor.ts'
import { answersOf } from '#app/domain/fields.ts'
import { LogoPath } from '#app/domain/tenants/logo.ts'
import { CUSTOMER_TYPES, TENANT_STATUSES } from '#app/domain/tenants/tenant.ts'
import { PERSON } from './person.ts'

export const ACTIVATION_STATUSES = ['invited', 'active', 'disabled'] as const

export const UserGeneralRole = z.object({
  role: z.enum(['admin', 'author', 'user']),
  tenant_id: z.uuid(),
  sub_tenant_id: z.uuid().nullable(),
})

const CurrentTenant = z.object({
  id: z.uuid(),
  name: z.string(),
  logo: LogoPath,
  status: z.enum(TENANT_STATUSES),
})

/** Field names are those of the specification, including the two in camelCase. */
export const CurrentUser = z.object({
  id: z.number().int(),
  user_general_roles: z.array(UserGeneralRole),
  accept_terms_and_conditions: z.boolean(),
  /** `timezone` null: the person follows their sub-tenant's zone, or the company's. */
  ...answersOf(PERSON),
  name: z.string(),
  /** The roles in force: for the current tenant and the selected sub-tenant; before one is selected, those held. */
  roles: z.array(z.enum(ROLES)),
  activation_status: z.enum(ACTIVATION_STATUSES),
  tenant: CurrentTenant.extend({ customer_type: z.enum(CUSTOMER_TYPES), timezone: z.string() }),
  current_tenant: CurrentTenant.extend({
    customer_type: z.enum(CUSTOMER_TYPES),
    timezone: z.string(),
    llj_categories: z.array(z.string()),
    /** How far its clock is ahead of the machine's: the testing tenant's clock can be moved. */
    clock_ahead_ms: z.number().default(0),
  }),
  /** `timezone` null: the company's. */
  current_sub_tenant: CurrentTenant.extend({ timezone: z.string().nullable() }).nullable(),
  is_super_admin: z.boolean(),
  is_impersonating: z.boolean(),
  sms_opt_in: z.boolean(),
  should_enter_subtenant: z.boolean(),
  is_admin: z.boolean(),
  hasMoreThanOneSubTenant: z.boolean(),
  subTenantId: z.uuid().nullable(),
  is_testing_tenant: z.boolean(),
  authors_may_create_drafts: z.boolean(),
  sign_in_links: z.boolean().default(false),
  is_sponsor: z.boolean().default(false),
  lock_version: z.number().int(),
})
export type CurrentUser = z.infer<typeof CurrentUser>

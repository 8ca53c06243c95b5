import { z } from 'zod'
import { QuietHours } from '#app/domain/hours/quiet-hours.ts'
import { OrganizationName } from '#app/domain/text/text.ts'
import { Categories, CategoryLines } from './categories.ts'
import { LogoFile, LogoInput } from './logo.ts'
import { SubTenantRulesForm, SubTenantRulesInput } from './sub-tenant-rules.ts'
import { TimeZone } from './timezone.ts'

/** The maximum number of messages per day in the company's zone; the others wait for the next day. */
export const DailyMessageCap = z.number().int().min(1).max(1_000_000)

/** Fields that are left out stay as they are; a logo of null is removed. */
const Shared = z.object({
  name: OrganizationName.optional(),
  logo: LogoInput.nullable().optional(),
  categories: Categories.optional(),
  /** A sub-tenant without a zone of its own follows its tenant. */
  timezone: TimeZone.nullable().optional(),
  lock_version: z.number().int().min(0).optional(),
})

export const SubTenantCompanyInput = Shared.extend(SubTenantRulesInput.shape)
export type SubTenantCompanyInput = z.infer<typeof SubTenantCompanyInput>

/** The tenant's settings, which also apply to sub-tenants without their own. */
export const CompanyInput = Shared.extend({
  authors_may_create_drafts: z.boolean().optional(),
  admins_need_second_factor: z.boolean().optional(),
  quiet_hours: QuietHours.optional(),
  /** The kill switch: no message leaves; due ones wait. */
  sending_stopped: z.boolean().optional(),
  /** Null: unlimited. */
  daily_message_cap: DailyMessageCap.nullable().optional(),
  /** Whether the links of messages sign learners in. */
  sign_in_links: z.boolean().optional(),
})
export type CompanyInput = z.infer<typeof CompanyInput>

/** The same as a form sends it: the logo is a file, each category a line. */
const SharedForm = z.object({
  name: OrganizationName,
  logo: LogoFile.optional(),
  remove_logo: z.boolean().default(false),
  categories: CategoryLines,
  timezone: TimeZone.optional(),
  lock_version: z.number().int().min(0),
})
/** Another server has no further settings. */
export const PlainCompanyForm = SharedForm.omit({ lock_version: true })
export const SubTenantCompanyForm = SharedForm.extend(SubTenantRulesForm.shape)
export const CompanyForm = SharedForm.extend({
  timezone: TimeZone,
  authors_may_create_drafts: z.boolean().default(false),
  admins_need_second_factor: z.boolean().default(false),
  quiet_hours: QuietHours,
  sending_stopped: z.boolean().default(false),
  daily_message_cap: DailyMessageCap.optional(),
  sign_in_links: z.boolean().default(false),
})

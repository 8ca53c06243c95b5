/** What a company settles about itself: its name, look, categories and time zone. */
import { z } from 'zod'
import { requiredLine } from '#app/domain/text.ts'
import { Categories, CategoryLines } from './categories.ts'
import { LogoFile, LogoInput } from './logo.ts'
import { TimeZone } from './timezone.ts'

const Time = z
  .string({ error: 'Please enter a time as HH:MM' })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time as HH:MM')

/** When messages rest, where their recipients are: at least from 21:00 to 08:00, and never through the day. */
export const QuietHours = z.strictObject({
  from: Time.refine((time) => time >= '12:00' && time <= '21:00', 'Please choose a time from 12:00 to 21:00'),
  to: Time.refine((time) => time >= '08:00' && time <= '12:00', 'Please choose a time from 08:00 to 12:00'),
})
export const USUAL_QUIET_HOURS: z.infer<typeof QuietHours> = { from: '20:00', to: '09:00' }

/** How many messages leave in a day of the company's zone; the others wait for the next. */
export const DailyMessageCap = z.number().int().min(1).max(1_000_000)

/** What is left out stays as it is; a logo of null is taken away. */
export const SubTenantCompanyInput = z.object({
  name: requiredLine(120).optional(),
  logo: LogoInput.nullable().optional(),
  categories: Categories.optional(),
  /** A part of a company without a zone of its own follows the company. */
  timezone: TimeZone.nullable().optional(),
  lock_version: z.number().int().min(0).optional(),
})
export type SubTenantCompanyInput = z.infer<typeof SubTenantCompanyInput>

/** What holds for all parts of a company is settled in its middle. */
export const CompanyInput = SubTenantCompanyInput.extend({
  /** Whether authors begin journeys of their own, as drafts. */
  authors_may_create_drafts: z.boolean().optional(),
  /** Whether administrators sign in with a second factor. */
  admins_need_second_factor: z.boolean().optional(),
  quiet_hours: QuietHours.optional(),
  /** The switch that keeps every message from leaving; what is due waits. */
  sending_stopped: z.boolean().optional(),
  /** Null: as many as there are. */
  daily_message_cap: DailyMessageCap.nullable().optional(),
})
export type CompanyInput = z.infer<typeof CompanyInput>

/** The same as a form sends it: the logo is a file, the categories are lines. */
export const SubTenantCompanyForm = z.object({
  name: requiredLine(120),
  logo: LogoFile.optional(),
  remove_logo: z.boolean().default(false),
  categories: CategoryLines,
  timezone: TimeZone.optional(),
  lock_version: z.number().int().min(0),
})
export const CompanyForm = SubTenantCompanyForm.extend({
  timezone: TimeZone,
  authors_may_create_drafts: z.boolean().default(false),
  admins_need_second_factor: z.boolean().default(false),
  quiet_hours: QuietHours,
  sending_stopped: z.boolean().default(false),
  daily_message_cap: DailyMessageCap.optional(),
})

/** One's profile as a form sends it. */
import { z } from 'zod'
import { TimeZone } from '#app/domain/tenants/timezone.ts'
import { FirstName, LastName, line } from '#app/domain/text.ts'

export const ProfileForm = z.object({
  first_name: FirstName,
  last_name: LastName.default(''),
  job_title: line(120).default(''),
  timezone: TimeZone.optional(),
  /** A box that is there only beside a number. */
  sms_opt_in: z.boolean().default(false),
  /** How the box was drawn: only a change of it is a word about messages. */
  sms_opt_in_before: z.enum(['yes', 'no']).optional(),
  accept_terms_and_conditions: z.boolean().default(false),
  lock_version: z.number().int().min(0).optional(),
})
export type ProfileForm = z.infer<typeof ProfileForm>

/** One's profile as a form sends it; light enough for the browser, the number itself is checked by the server. */
import { z } from 'zod'
import { TimeZone } from '#app/domain/tenants/timezone.ts'
import { line, requiredLine } from '#app/domain/text.ts'

export const ProfileForm = z.object({
  first_name: requiredLine(80),
  last_name: requiredLine(80),
  dial_code: z
    .string()
    .regex(/^\+[1-9]\d{0,5}$/, 'Choose a dial code')
    .optional(),
  phone_number: z
    .string()
    .max(30, 'Please use at most 30 characters')
    .regex(/^[\d\s().+/-]*$/, 'Please enter a valid phone number')
    .optional(),
  job_title: line(120).default(''),
  timezone: TimeZone.optional(),
  sms_opt_in: z.boolean().default(false),
  accept_terms_and_conditions: z.boolean().default(false),
  lock_version: z.number().int().min(0).optional(),
})
export type ProfileForm = z.infer<typeof ProfileForm>

import { z } from 'zod'
import { inputsOf, namesWith, pick } from '#app/domain/fields.ts'
import { PERSON } from '#app/domain/users/person.ts'

export const OWN_FIELDS = namesWith(PERSON, 'own')
export const OWN_INPUT = inputsOf(pick(PERSON, OWN_FIELDS))

export const ProfileForm = z.object({
  ...OWN_INPUT,
  /** The checkbox is shown only beside a number. */
  sms_opt_in: z.boolean().default(false),
  /** The state in which the checkbox was rendered: consent is recorded only if it was changed. */
  sms_opt_in_before: z.enum(['yes', 'no']).optional(),
  accept_terms_and_conditions: z.boolean().default(false),
  lock_version: z.number().int().min(0).optional(),
})

/** The questions for a new person at their first visit; the rest of the profile can wait. */
export const WelcomeForm = ProfileForm.pick({
  timezone: true,
  sms_opt_in: true,
  sms_opt_in_before: true,
  accept_terms_and_conditions: true,
})

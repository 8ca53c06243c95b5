/** What people can change about themselves. */
import { z } from 'zod'
import { NUMBER_IS_PROVED } from '../users/phone/phone.ts'
import { OWN_INPUT } from './profile-form.ts'

/** Fields that are left out stay as they are. Accepted terms cannot be withdrawn here. */
export const ProfileInput = z.object({
  ...z.object(OWN_INPUT).partial().shape,
  /** A number can only be removed here: a new one needs a code, see `contact-changes.server.ts`. */
  mobile_phone: z.null({ error: NUMBER_IS_PROVED }).optional(),
  password: z.string().max(1000).optional(),
  /** Whether lifts may come by text message; only the person can agree to that. */
  sms_opt_in: z.boolean().optional(),
  accept_terms_and_conditions: z
    .literal(true, { error: 'Please accept the terms and conditions' })
    .optional(),
  lock_version: z.number().int().min(0).optional(),
})
export type ProfileInput = z.infer<typeof ProfileInput>

/** What people settle about themselves. */
import { z } from 'zod'
import { NUMBER_IS_PROVED } from '../users/phone/phone.ts'
import { OWN_INPUT } from './profile-form.ts'

/** What is left out stays as it is. Terms are accepted once and never taken back here. */
export const ProfileInput = z.object({
  ...z.object(OWN_INPUT).partial().shape,
  /** It can only be taken away here: a new one counts once its owner has shown that it is theirs. */
  mobile_phone: z.null({ error: NUMBER_IS_PROVED }).optional(),
  password: z.string().max(1000).optional(),
  /** Whether lifts may come by text message; agreeing to it is for the person alone. */
  sms_opt_in: z.boolean().optional(),
  accept_terms_and_conditions: z
    .literal(true, { error: 'Please accept the terms and conditions' })
    .optional(),
  lock_version: z.number().int().min(0).optional(),
})
export type ProfileInput = z.infer<typeof ProfileInput>

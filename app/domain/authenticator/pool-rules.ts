/** The settings of a pool's sign-in screens. Invalid or missing ones fall back to the defaults. */
import { z } from 'zod'
import { isAllowedAttribute } from './attributes.ts'
import { ENTRANCES } from './state.ts'

const flag = z.boolean().catch(false)

export const PoolRules = z.object({
  /** Whether people may sign up by themselves, and the company that they join then. */
  sign_up: z.object({ tenant_id: z.uuid() }).nullable().catch(null),
  initial_screen: z.enum(ENTRANCES).catch('signIn'),
  required_attributes: z.array(z.string().refine(isAllowedAttribute)).catch([]),
  social_providers: z.array(z.string()).catch([]),
  password_policy: z
    .object({
      min_length: z.number().int().min(6).max(99).catch(8),
      require_lowercase: flag,
      require_uppercase: flag,
      require_numbers: flag,
      require_special_characters: flag,
    })
    .catch({
      min_length: 8,
      require_lowercase: false,
      require_uppercase: false,
      require_numbers: false,
      require_special_characters: false,
    }),
  reveals_users: flag,
})
export type PoolRules = z.infer<typeof PoolRules>

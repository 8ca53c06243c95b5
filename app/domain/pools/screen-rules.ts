/** The rules of a pool on our own screens, set by a super admin. Safe for the browser. */
import { z } from 'zod'
import { isAllowedAttribute } from '../authenticator/attributes.ts'
import { ENTRANCES } from '../authenticator/state.ts'

/** Shorter ones are only for Cognito pools with a weaker policy. */
export const SHORTEST_PASSWORD = 8

const WRONG_LENGTH = 'Please enter a number from 6 to 99'

export const PasswordRules = z.object({
  min_length: z.number(WRONG_LENGTH).int(WRONG_LENGTH).min(6, WRONG_LENGTH).max(99, WRONG_LENGTH).default(8),
  require_lowercase: z.boolean().default(false),
  require_uppercase: z.boolean().default(false),
  require_numbers: z.boolean().default(false),
  require_special_characters: z.boolean().default(false),
})

export const ScreenRules = z.object({
  initial_screen: z.enum(ENTRANCES).default('signIn'),
  required_attributes: z
    .array(z.string().max(40).refine(isAllowedAttribute, 'This is not an attribute of a person'))
    .max(20)
    .default([]),
  password_policy: PasswordRules.default(PasswordRules.parse({})),
  /** Tells visitors when nobody has an address. Only for our own provider; Cognito has a setting of its own. */
  reveals_users: z.boolean().default(false),
})
export type ScreenRules = z.infer<typeof ScreenRules>

/** Stands for everything that is stored; a change that names an older one is refused (409). */
export const PoolVersion = z.string().max(64)

export const SharedPoolInput = ScreenRules.extend({
  /** The company that people join by signing up; null if nobody can. */
  sign_up_tenant_id: z.uuid().nullable().default(null),
  version: PoolVersion.optional(),
})
export type SharedPoolInput = z.infer<typeof SharedPoolInput>

export const SharedPool = SharedPoolInput.extend({
  version: PoolVersion,
  /** Companies that use the pool and can accept people. */
  companies: z.array(z.object({ id: z.uuid(), name: z.string() })),
})
export type SharedPool = z.infer<typeof SharedPool>

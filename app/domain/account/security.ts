/** How a person signs in, beyond the password. Safe for the browser. */
import { z } from 'zod'
import { REQUIRED } from '#app/domain/text/text.ts'

export const FACTORS = ['SMS_MFA', 'SOFTWARE_TOKEN_MFA'] as const

/** Ignores spaces, as shown by an app or copied from a message. */
const Code = z
  .string()
  .transform((typed) => typed.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'The code has six digits'))
/** Exactly as typed, spaces included. */
const Password = z.string({ error: REQUIRED }).min(1, REQUIRED).max(1000)

export const Security = z.object({
  is_ours: z.boolean(),
  is_required: z.boolean(),
  preferred: z.enum(FACTORS).nullable(),
  has_app: z.boolean(),
  /** Masked numbers: the one that receives codes now, and the verified one that could. */
  phone: z.string().nullable(),
  available_phone: z.string().nullable(),
})
export type Security = z.infer<typeof Security>

export const PasswordInput = z.object({ password: Password })
export const AppCode = z.object({ code: Code })
export const AppSecret = z.object({ secret: z.string(), uri: z.string() })
export const FactorInput = z.object({ preferred: z.enum(FACTORS).nullable(), password: Password })
export const NewPasswordInput = z.object({ password: Password, new_password: Password })

export const CHOICES = ['app', 'new_app', 'sms', 'none'] as const
export const FactorForm = z.object({
  preferred: z.enum(CHOICES, { error: REQUIRED }),
  password: Password,
})
export type FactorForm = z.infer<typeof FactorForm>

export const PasswordForm = NewPasswordInput.extend({
  confirm_password: z.string({ error: REQUIRED }),
}).refine(({ new_password, confirm_password }) => new_password === confirm_password, {
  path: ['confirm_password'],
  error: 'Your passwords must match',
})

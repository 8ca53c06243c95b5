/** What a person types to sign in. Usernames are trimmed, passwords never. */
import { z } from 'zod'
import { hasAsciiName, NO_ASCII_NAME, REQUIRED, toAsciiEmail } from '../text/text.ts'

const Username = z
  .string({ error: REQUIRED })
  .trim()
  .min(1, REQUIRED)
  .max(254)
  .regex(/^\P{Cc}*$/u, 'Please enter a valid email')
  .transform(toAsciiEmail)

/** `remember` is asked here of people who have not been asked before. */
export const Credentials = z.object({
  username: Username,
  password: z.string({ error: REQUIRED }),
  remember: z.boolean().default(false),
})

export const ForgottenPassword = z.object({ username: Username })

/** A new account is named by its e-mail address. */
export const EmailUsername = z
  .string({ error: REQUIRED })
  .trim()
  .toLowerCase()
  .min(1, REQUIRED)
  .max(254, 'Please enter a valid email')
  .transform(toAsciiEmail)
  .refine(hasAsciiName, NO_ASCII_NAME)
  .pipe(z.email('Please enter a valid email'))

/** Codes are often pasted with spaces, or with the hyphen of the message. */
export const ConfirmationCode = z
  .string({ error: REQUIRED })
  .transform((typed) => typed.replace(/[\s-]/g, ''))
  .pipe(z.string().min(1, REQUIRED).max(2048))

export const CodeForm = z.object({ confirmation_code: ConfirmationCode })

export const ContactChoice = z.object({
  unverifiedAttr: z.enum(['email', 'phone_number'], { error: REQUIRED }),
})

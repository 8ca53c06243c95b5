/** A new e-mail address or phone number, which its owner confirms with a code sent to it. */
import { z } from 'zod'
import { EmailAddress } from '../text/text.ts'
import { PhoneNumber } from '../users/phone/phone.ts'

export const CONTACT_KINDS = ['email', 'phone'] as const
export type ContactKind = (typeof CONTACT_KINDS)[number]

export const CODE_MINUTES = 15

export const ContactChangeInput = z.object({
  kind: z.enum(CONTACT_KINDS),
  value: z.string().max(254),
  password: z.string().max(1000).optional(),
})

export const ContactValue = { email: EmailAddress, phone: PhoneNumber } as const

export const ContactCode = z.object({
  kind: z.enum(CONTACT_KINDS),
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'The code has six digits'),
})

/** A change waiting for its code. `destination` is masked. */
export const ContactChange = z.object({
  kind: z.enum(CONTACT_KINDS),
  destination: z.string(),
  expires_at: z.string(),
})
export type ContactChange = z.infer<typeof ContactChange>

export const Contacts = z.object({
  email: z.string(),
  /** False where the company's own sign-in manages the address. */
  may_change_email: z.boolean(),
  needs_password: z.boolean(),
  mobile_phone: z.string().nullable(),
  phone_verified_on: z.string().nullable(),
  pending: z.array(ContactChange),
})
export type Contacts = z.infer<typeof Contacts>

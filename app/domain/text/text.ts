/** Text that people type, as every form and every call takes it. */
import { z } from 'zod'
import { figures } from './figures.ts'

export const REQUIRED = 'This field is required'

/** No control characters (PostgreSQL cannot store NUL), no direction overrides, no unpaired surrogates. */
const PLAIN = /^[^\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u
/** Multi-line text that the database can store: no NUL, no unpaired surrogates. */
export const STORABLE = [/^[^\p{Cs}\0]*$/u, 'Please remove the control characters'] as const
const VISIBLE = /[^\s\p{Cf}]/u

/** Spaces, and the invisible marks that come with text copied from chats, contacts and mails. */
const UNSEEN = String.raw`[\s\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069]`
/** The second part starts only where such a run starts: long ones inside a text are scanned once. */
const AROUND = new RegExp(`^${UNSEEN}+|(?<!${UNSEEN})${UNSEEN}+$`, 'g')
const trimmed = (text: string): string => text.replace(AROUND, '')

export const line = (max: number) =>
  z
    .string({ error: REQUIRED })
    .overwrite(trimmed)
    .max(max, `Please use at most ${figures(max)} characters`)
    .refine((text) => PLAIN.test(text), 'Please remove the control characters')

/** One line with at least one visible character. */
export const requiredLine = (max: number) => line(max).refine((text) => VISIBLE.test(text), REQUIRED)

/** Our mails name people and companies, where a web address would become a link. */
const isNoAddress = (text: string) => !/:\/\/|\bwww\.|[^\s.]\.[a-z]{2,}\//i.test(text)
export const NO_WEB_ADDRESS = [isNoAddress, 'Please use a name, not a web address'] as const
export const FirstName = requiredLine(80).refine(...NO_WEB_ADDRESS)
export const LastName = line(80).refine(...NO_WEB_ADDRESS)
export const OrganizationName = requiredLine(120).refine(...NO_WEB_ADDRESS)

/** `exämple.de` as in mail and DNS, `xn--exmple-cua.de`; an invalid domain stays as it is. */
export function toAsciiDomain(domain: string): string {
  if (/^[\x21-\x7e]*$/.test(domain) || /[\s/?#@:\\%]/.test(domain)) return domain
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain
}

/** `me@exämple.de` as in mail; the part before the @ stays. */
export function toAsciiEmail(typed: string): string {
  const at = typed.lastIndexOf('@')
  return at < 0 ? typed : `${typed.slice(0, at)}@${toAsciiDomain(typed.slice(at + 1))}`
}

export const NO_ASCII_NAME =
  'We cannot write to addresses with letters like ü before the @. Please use another one.'
export const hasAsciiName = (email: string): boolean => !/[\u0080-\uffff].*@/.test(email)

export const EmailAddress = z
  .string({ error: REQUIRED })
  .overwrite(trimmed)
  .toLowerCase()
  .min(1, REQUIRED)
  .max(254, 'Please use at most 254 characters')
  .transform(toAsciiEmail)
  .refine(hasAsciiName, NO_ASCII_NAME)
  .pipe(z.email('Please enter a valid email'))

/** A search text as an SQL pattern that matches it anywhere, with wildcards escaped. */
export const likePattern = (words: string): string =>
  `%${words
    .replaceAll('\0', '')
    .replace(/\s+/g, ' ')
    .replace(/[\\%_]/g, '\\$&')}%`

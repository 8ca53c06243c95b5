/** Text that people type, as every form and every call takes it. */
import { z } from 'zod'

export const REQUIRED = 'This field is required'

/** No control characters (Postgres takes no NUL), none that turn the text around, no unpaired halves of characters. */
const PLAIN = /^[^\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u
const VISIBLE = /[^\s\p{Cf}]/u

/** One line, trimmed; may be empty. */
export const line = (max: number) =>
  z
    .string({ error: REQUIRED })
    .trim()
    .max(max, `Please use at most ${max} characters`)
    .refine((text) => PLAIN.test(text), 'Please remove the control characters')

/** One line that says something. */
export const requiredLine = (max: number) => line(max).refine((text) => VISIBLE.test(text), REQUIRED)

/** An e-mail address, trimmed and in lower case. */
export const EmailAddress = z
  .string({ error: REQUIRED })
  .trim()
  .toLowerCase()
  .max(254, 'Please use at most 254 characters')
  .pipe(z.email('Please enter a valid email'))

/** What somebody searches for, as a pattern of SQL in which only the ends are open. */
export const likePattern = (words: string): string =>
  `%${words
    .replaceAll('\0', '')
    .replace(/\s+/g, ' ')
    .replace(/[\\%_]/g, '\\$&')}%`

/** The messages that a person of the testing tenant got and sent, as on their phone. */
import { z } from 'zod'
import { TEXT_READINGS, type TextReading } from '../consent/reading.ts'
import { pageOf, paging, shownPage } from '../page.ts'
import { line } from '../text/text.ts'
import { ANSWERING } from './clock.ts'

export const Line = z.object({
  id: z.string(),
  at: z.string(),
  is_theirs: z.boolean(),
  text: z.string(),
  reading: z.enum(TEXT_READINGS).nullable(),
})
export type Line = z.infer<typeof Line>

export const Mail = z.object({ id: z.number().int(), at: z.string(), subject: z.string(), text: z.string() })
export type Mail = z.infer<typeof Mail>

export const Handset = z.object({
  /** Null for a number that belongs to nobody. */
  user_id: z.number().int().nullable(),
  name: z.string(),
  number: z.string().nullable(),
  email: z.string().nullable(),
  zone: z.string(),
  /** Whether the number accepts texts. */
  takes_texts: z.boolean(),
  /** The latest, in order of time; `has_more`: there are earlier ones. */
  texts: z.object({ data: z.array(Line), has_more: z.boolean() }),
  mails: z.object({ data: z.array(Mail), has_more: z.boolean() }),
})
export type Handset = z.infer<typeof Handset>
export const HandsetPage = pageOf(Handset)

export const HandsetSearch = z.object({
  page: shownPage,
  q: line(200).catch(''),
  /** The phone to answer as: empty for a number still to be typed, null for none. */
  phone: z.string().max(40).nullable().catch(null).default(null),
  /** The last choice. */
  answers: z.enum(ANSWERING).catch('none'),
})

export const READ_AS: Record<TextReading, string> = {
  stop: 'Read as STOP: texts to this number have ended.',
  leave: 'Read as leaving a journey.',
  start: 'Read as START: texts to this number again.',
  help: 'Read as HELP.',
  answer: 'Read as the answer to a lift.',
  unclear: 'Read as a reply to a lift that is no answer.',
  other: 'Read, and nothing follows from it.',
}

export const HandsetQuery = z.object({
  ...paging({ most: 24, usual: 6 }),
  q: line(200).default(''),
})
export type HandsetQuery = z.infer<typeof HandsetQuery>

/** An audit event as the administrators of a tenant read it. */
import { z } from 'zod'
import { Day } from '../hours/wall-time.ts'
import { pageOf, paging, shownPage } from '../page.ts'
import { line } from '../text/text.ts'

export const AuditEvent = z.object({
  id: z.number().int(),
  at: z.string(),
  /** Without an e-mail address: an erased person or, inside a sub-tenant, a colleague from elsewhere. */
  actor: z
    .object({ id: z.number().int(), email: z.string().nullable(), name: z.string().nullable() })
    .nullable(),
  /** The API key that acted for the actor, with its name at that time. */
  api_key: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  /** The tenant that somebody of the platform acted for. */
  on_behalf_of: z.uuid().nullable(),
  on_behalf_of_name: z.string().nullable(),
  sub_tenant_id: z.uuid().nullable(),
  sub_tenant: z.string().nullable(),
  action: z.string(),
  subject: z.object({
    type: z.string(),
    id: z.string().nullable(),
    name: z.string().nullable(),
    is_there: z.boolean(),
    /** The journey that the subject is or belongs to. */
    journey_id: z.number().int().nullable(),
  }),
  /** Facts, and `{ before, after }` for each changed field. */
  changes: z.record(z.string(), z.unknown()),
  /** The current names of things that `changes` refers to by id, keyed by kind and id (`user:42`). */
  names: z.record(z.string(), z.string()),
})
export type AuditEvent = z.infer<typeof AuditEvent>
export const AuditPage = pageOf(AuditEvent)

/** An instant, or the start of a day in UTC. */
const Moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()], { error: 'Please enter a date' })

export const AuditQuery = z.object({
  /** A user id, or a part of an e-mail address. */
  actor: line(254).optional(),
  on_behalf_of: z.uuid().optional(),
  /** `journey.created` or, as screens say it, "Journey created"; `journey` for all that happened to journeys. */
  action: line(80).optional(),
  /** `user`, `user:42`, "user 42", or a part of a name. */
  subject: line(120).optional(),
  from: Moment.optional(),
  /** Exclusive end of the range. */
  to: Moment.optional(),
  ...paging(),
})
export type AuditQuery = z.infer<typeof AuditQuery>

export const AuditSearch = z.object({
  actor: line(254).catch(''),
  action: line(80).catch(''),
  subject: line(120).catch(''),
  from: Day.or(z.literal('')).catch(''),
  to: Day.or(z.literal('')).catch(''),
  on_behalf_of: z.uuid().or(z.literal('')).catch(''),
  page: shownPage,
})
export type AuditSearch = z.infer<typeof AuditSearch>

/** `user:42` and "Sub tenant 3f..." as a type and an id: a last word with a digit in it is an id. */
export function readSubject(subject: string): { type: string; id: string | null } {
  const words = subject.trim().split(/[:\s]+/)
  const id = words.length > 1 && /\d/.test(words.at(-1) ?? '') ? (words.pop() ?? null) : null
  return { type: asRecorded(words.join(' ')).replaceAll(/[\s-]/g, '_'), id: id?.toLowerCase() ?? null }
}

/** Names in the log that differ from those on screen. */
const ON_SCREEN: readonly (readonly [recorded: string, said: string])[] = [
  ['member', 'participant'],
  ['prompt', 'question'],
  ['user group', 'group'],
  ['sub tenant', 'sub-tenant'],
  ['api key', 'API key'],
]

/** `sub_tenant` as on screen: "sub-tenant". */
export const nameInWords = (name: string): string =>
  ON_SCREEN.reduce(
    (words, [recorded, said]) => words.replace(new RegExp(`\\b${recorded}(?=s?\\b)`, 'g'), said),
    name.replace(/[._]/g, ' '),
  )

/** Typed names from the screens as names of the log: "Question" as `prompt`. */
export const asRecorded = (typed: string): string =>
  ON_SCREEN.reduce(
    (words, [recorded, said]) => words.replace(new RegExp(`(?<!user[ _])\\b${said}(?=s?\\b)`, 'g'), recorded),
    typed.toLowerCase(),
  )

/** `journey.created` as the beginning of a sentence: "Journey created". */
export function actionInWords(action: string): string {
  const words = nameInWords(action)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

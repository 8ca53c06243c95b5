/** What happened, as the administrators of a tenant read it. */
import { z } from 'zod'
import { MAX_PER_PAGE, pageOf } from '../page.ts'
import { line } from '../text.ts'

export const AuditEvent = z.object({
  id: z.number().int(),
  at: z.string(),
  actor: z
    .object({ id: z.number().int(), email: z.string().nullable(), name: z.string().nullable() })
    .nullable(),
  /** The tenant acted for, where somebody of the platform acted. */
  on_behalf_of: z.uuid().nullable(),
  sub_tenant_id: z.uuid().nullable(),
  action: z.string(),
  subject: z.object({ type: z.string(), id: z.string().nullable() }),
  changes: z.record(z.string(), z.unknown()),
})
export type AuditEvent = z.infer<typeof AuditEvent>
export const AuditPage = pageOf(AuditEvent)

const MAX_PAGE = 100_000
/** An instant, or the beginning of a day in UTC. */
const Moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()], { error: 'Please enter a date' })

export const AuditQuery = z.object({
  /** A number, or a part of an e-mail address. */
  actor: line(254).optional(),
  on_behalf_of: z.uuid().optional(),
  /** `journey.created`, or `journey` for all that happened to journeys. */
  action: line(80).optional(),
  /** `user`, or `user:42`. */
  subject: line(120).optional(),
  from: Moment.optional(),
  /** The first moment that is not asked for any more. */
  to: Moment.optional(),
  page: z.coerce.number().int().min(1).max(MAX_PAGE).default(1),
  per_page: z.coerce.number().int().min(1).max(MAX_PER_PAGE).default(20),
})
export type AuditQuery = z.infer<typeof AuditQuery>

/** The search parameters of the screen; whatever is wrong is left out. */
export const AuditSearch = z.object({
  actor: line(254).catch(''),
  action: line(80).catch(''),
  subject: line(120).catch(''),
  from: z.iso.date().or(z.literal('')).catch(''),
  to: z.iso.date().or(z.literal('')).catch(''),
  by_platform: z.stringbool().catch(false),
  page: AuditQuery.shape.page.catch(1),
})
export type AuditSearch = z.infer<typeof AuditSearch>

/** `journey.created` as a sentence's beginning: "Journey created". */
export function actionInWords(action: string): string {
  const words = action.replace(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

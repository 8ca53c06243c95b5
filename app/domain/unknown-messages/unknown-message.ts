/** A message with unknown delivery, and the decisions that people can make about it. */
import { z } from 'zod'
import { NumberList, pageOf, paging } from '../page.ts'

/** Why it cannot be sent again now; `asking`: its carrier is still being asked. */
export const WHY_NOT = ['asking', 'paused', 'over', 'retired', 'not_active', 'done', 'closed'] as const
export type WhyNot = (typeof WHY_NOT)[number]

export const DECISIONS = ['arrived', 'send_again', 'not_arrived'] as const
export type Decision = (typeof DECISIONS)[number]

/** Contains no number or address: people who may see these find them on the person's own page. */
export const UnknownMessage = z.object({
  id: z.number().int(),
  kind: z.enum(['lift', 'reminder']),
  channel: z.enum(['sms', 'email']),
  sent_at: z.string().nullable(),
  unknown_since: z.string(),
  /** `no_answer`: the carrier gave none. `interrupted`: the sender ended in the middle of it. */
  cause: z.enum(['no_answer', 'interrupted']),
  /** Until when its carrier is asked; null if it cannot be asked or does not know. */
  asked_until: z.string().nullable(),
  learner: z.object({ user_id: z.number().int(), member_id: z.number().int(), name: z.string() }),
  journey: z.object({ id: z.number().int(), name: z.string() }),
  lift: z.object({ id: z.number().int(), title: z.string() }),
  /** The learner has opened the lift since, by its link or from their list. */
  opened: z.boolean(),
  /** Null if it can be sent again. */
  why_not: z.enum(WHY_NOT).nullable(),
})
export type UnknownMessage = z.infer<typeof UnknownMessage>
export const UnknownMessagePage = pageOf(UnknownMessage)

const id = z.coerce.number().int().positive()
const filters = {
  journey: id.optional(),
  lift: id.optional(),
  channel: z.enum(['sms', 'email']).optional(),
}

export const UnknownMessageQuery = z.object({
  ...filters,
  ...paging(),
})
export type UnknownMessageQuery = z.infer<typeof UnknownMessageQuery>

/** Decided per request; the rest takes another request. */
export const MAX_DECIDED = 500

const until = z.iso.datetime({ offset: true }).optional()

export const ResendQuery = z.object({ ...filters, message_ids: NumberList.optional(), until })
export type ResendQuery = z.infer<typeof ResendQuery>

export const ResendProspect = z.object({
  messages: z.number().int(),
  /** By channel and time: immediately, or after the recipient's quiet hours. */
  email: z.number().int(),
  sms: z.number().int(),
  resting: z.number().int(),
  /** E-mails that replace texts, because the number no longer accepts any. */
  fell_back: z.number().int(),
  is_stopped: z.boolean(),
  not: z.partialRecord(z.enum(WHY_NOT), z.number().int()),
})
export type ResendProspect = z.infer<typeof ResendProspect>

const number = z.number().int().positive()
export const DecisionInput = z.strictObject({
  decision: z.enum(DECISIONS),
  message_ids: z.union([z.literal('all'), z.array(number).min(1).max(100)]),
  journey: number.optional(),
  lift: number.optional(),
  channel: filters.channel,
  until,
})
export type DecisionInput = z.infer<typeof DecisionInput>

/** `decided`: decided now; `not`: still unknown, as they cannot be sent again; `left`: matching ones still to be decided. */
export const Decided = z.object({
  decided: z.number().int(),
  not: z.number().int(),
  left: z.number().int(),
})
export type Decided = z.infer<typeof Decided>

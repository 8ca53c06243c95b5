/** Whom a person would send a lift to by hand now, and what becomes of each message. */
import { z } from 'zod'
import { NumberList } from '#app/domain/page.ts'
import { line } from '#app/domain/text/text.ts'
import { CHANNELS } from '../journeys/channel.ts'

export const StillToSendQuery = z.object({
  q: line(200).default(''),
  /** These stand first, whatever is looked for: those who are chosen already. */
  member_ids: NumberList.optional(),
})
export type StillToSendQuery = z.infer<typeof StillToSendQuery>

export const StillToSend = z.object({
  /** Those who are chosen, then those who match, by name; a hundred at most. */
  data: z.array(
    z.object({
      member_id: z.number().int(),
      name: z.string(),
      email: z.string(),
      channel: z.enum(CHANNELS),
      is_held: z.boolean(),
      has_failed: z.boolean(),
    }),
  ),
  total: z.number().int(),
  /** How many have not had it, for how many of them it waits for a person, and how many it failed to reach. */
  people: z.number().int(),
  held: z.number().int(),
  failed: z.number().int(),
  by_channel: z.object({ sms: z.number().int(), email: z.number().int(), in_app: z.number().int() }),
  /** Texts that would rest until the morning where their people are. */
  resting: z.number().int(),
  /** E-mails that would not leave: their people stopped them, or they come back. */
  unmailed: z.number().int(),
})
export type StillToSend = z.infer<typeof StillToSend>

export const SendNowInput = z.strictObject({
  member_ids: z.union([z.literal('pending'), z.array(z.number().int().positive()).min(1).max(500)]),
})
export type SendNowInput = z.infer<typeof SendNowInput>

export const SentNow = z.object({
  /** To how many people it is sent. */
  planned: z.number().int(),
  /** False while a job plans the messages: of very many people some get it minutes later. */
  is_done: z.boolean(),
})
export type SentNow = z.infer<typeof SentNow>

/** The recipients of a lift that is sent manually now, and what happens to each message. */
import { z } from 'zod'
import { NumberList, SearchWords } from '#app/domain/page.ts'
import { CHANNELS } from '../journeys/channel.ts'

export const StillToSendQuery = z.object({
  q: SearchWords.default(''),
  /** Members chosen already, listed first whatever the search. */
  member_ids: NumberList.optional(),
})
export type StillToSendQuery = z.infer<typeof StillToSendQuery>

export const StillToSend = z.object({
  /** The chosen members, then the matching ones by name; at most a hundred. */
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
  /** More people match than were looked at. */
  is_capped: z.boolean(),
  /** How many have not had it, how many of those wait for a person's decision, and how many it failed to reach. */
  people: z.number().int(),
  held: z.number().int(),
  /** How many of the held may have had it, before a backup was restored. */
  restored: z.number().int(),
  failed: z.number().int(),
  by_channel: z.object({ sms: z.number().int(), email: z.number().int(), in_app: z.number().int() }),
  /** Texts that would wait for the end of quiet hours. */
  resting: z.number().int(),
  /** E-mails that would not leave: unsubscribed or bouncing addresses. */
  unmailed: z.number().int(),
})
export type StillToSend = z.infer<typeof StillToSend>

export const SendNowInput = z.strictObject({
  member_ids: z.union([z.literal('pending'), z.array(z.number().int().positive()).min(1).max(500)]),
})
export type SendNowInput = z.infer<typeof SendNowInput>

export const SentNow = z.object({
  /** The number of recipients. */
  planned: z.number().int(),
  /** False while a job plans the messages: with very many people, some get theirs minutes later. */
  is_done: z.boolean(),
})
export type SentNow = z.infer<typeof SentNow>

/** Previews of the messages that people get. */
import { z } from 'zod'

export const MessageKind = z.object({
  id: z.string(),
  title: z.string(),
  when: z.string(),
  channel: z.enum(['email', 'sms']),
})
export type MessageKind = z.infer<typeof MessageKind>

export const LOOKS = ['light', 'dark'] as const
export const PreviewQuery = z.strictObject({ look: z.enum(LOOKS).default('light') })

export const MessagePreview = MessageKind.extend({
  from: z.string().nullable(),
  subject: z.string().nullable(),
  text: z.string(),
  html: z.string().nullable(),
  segments: z.number().int().nullable(),
})
export type MessagePreview = z.infer<typeof MessagePreview>

/** The messages that people get, each as it reads. */
import { z } from 'zod'

export const MessageKind = z.object({
  id: z.string(),
  title: z.string(),
  /** On which occasion it is sent. */
  when: z.string(),
  channel: z.enum(['email', 'sms']),
})
export type MessageKind = z.infer<typeof MessageKind>

export const LOOKS = ['light', 'dark'] as const
export const PreviewQuery = z.strictObject({ look: z.enum(LOOKS).default('light') })

export const MessagePreview = MessageKind.extend({
  /** The name under which an e-mail comes. */
  from: z.string().nullable(),
  subject: z.string().nullable(),
  /** The text, or the plain-text part of an e-mail. */
  text: z.string(),
  html: z.string().nullable(),
  /** Of a text, how many it is paid as. */
  segments: z.number().int().nullable(),
})
export type MessagePreview = z.infer<typeof MessagePreview>

/** A preview of every kind of message that people get. */
import { z } from 'zod'
import { MessageKind, MessagePreview, PreviewQuery } from '#app/domain/previews/preview.ts'
import { callsAbout } from './call.ts'

const { get } = callsAbout('Messages')

export const listMessageKinds = get('/message_previews', {
  does: 'The kinds of e-mails and texts that people get',
  may: 'preview messages',
  answers: z.object({ data: z.array(MessageKind) }),
})

export const previewMessage = get('/message_previews/{kind}', {
  does: 'One of them as this company’s people get it, with examples for names; nothing is sent',
  may: 'preview messages',
  ids: z.object({ kind: z.string().regex(/^[a-z-]{1,60}$/) }),
  query: PreviewQuery,
  answers: MessagePreview,
})

/** A message that left, as the Testing area shows it. */
import { z } from 'zod'
import { TEXT_READINGS } from '../consent/reading.ts'
import { Pagination, paging, shownPage } from '../page.ts'
import { line, REQUIRED } from '../text/text.ts'
import { PhoneNumber } from '../users/phone/phone.ts'

export const OutboxMessage = z.object({
  id: z.number().int(),
  channel: z.enum(['sms', 'email']),
  recipient: z.string(),
  subject: z.string().nullable(),
  body: z.string(),
  created_on: z.string(),
})
export type OutboxMessage = z.infer<typeof OutboxMessage>
export const OutboxPage = z.object({ data: z.array(OutboxMessage), pagination: Pagination })

export const OutboxQuery = z.object({
  ...paging(),
  q: line(200).default(''),
})

export const OutboxSearch = z.object({
  page: shownPage,
  q: OutboxQuery.shape.q.catch(''),
})

/** A text as a phone would send it, in the testing tenant. */
export const TestText = z.strictObject({
  from: PhoneNumber,
  text: z.string().min(1, REQUIRED).max(1600, 'Please use at most 1,600 characters'),
})
export type TestText = z.infer<typeof TestText>
export const TestTextForm = z.object(TestText.shape)
export const TestTextReceived = z.object({
  reading: z.enum(TEXT_READINGS),
  reply: z.string().nullable(),
})
export type TestTextReceived = z.infer<typeof TestTextReceived>

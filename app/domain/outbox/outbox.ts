/** A message that left, as the Testing area shows it. */
import { z } from 'zod'
import { Pagination } from '../page.ts'
import { line } from '../text.ts'

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
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(20),
  q: line(200).default(''),
})

/** The search parameters of /testing; whatever is wrong becomes the default. */
export const OutboxSearch = z.object({
  page: OutboxQuery.shape.page.catch(1),
  q: OutboxQuery.shape.q.catch(''),
})

/** What the address of the schedule page asks for: each dialog is a parameter. */
import { z } from 'zod'

const id = z.coerce.number().int().positive().optional().catch(undefined)
const flag = z.stringbool().catch(false)
const Search = z.object({
  lift: id,
  create: flag,
  participantsModal: flag,
  journeyModal: flag,
  /** Questions before something that matters. */
  launch: z.enum(['send', 'skip']).optional().catch(undefined),
  remove: id,
  /** Inside the participants: whom to look for, and which page of those who take part. */
  people: z.string().max(200).catch(''),
  members: z.coerce.number().int().min(1).max(100_000).catch(1),
  member: id,
})

export type ScheduleSearch = z.infer<typeof Search>

export const readSearch = (request: Request) =>
  Search.parse(Object.fromEntries(new URL(request.url).searchParams))

/** What the address of the schedule page asks for: each dialog is a parameter. */
import { z } from 'zod'

const id = z.coerce.number().int().positive().optional().catch(undefined)
const words = z.string().trim().max(200).catch('')
const ids = z.array(z.coerce.number().int().positive()).max(100).catch([])
const flag = z.stringbool().catch(false)
const Search = z.object({
  lift: id,
  /** Of the timeline; without it, the one with the lift that is open. */
  page: id,
  create: flag,
  /** Questions before something that matters. */
  launch: z.enum(['send', 'skip']).optional().catch(undefined),
  remove: id,
  /** Which lift is sent by hand, to whom of those who match, and which one as a test. */
  send: id,
  whom: words,
  member_ids: ids,
  test: id,
  /** What is opened once the lift is saved: one of its blocks or questions, or a new one of a kind. */
  open: z
    .string()
    .regex(/^(block|prompt)\.([a-z_]{1,20}|\d{1,15})$/)
    .optional()
    .catch(undefined),
})

export type ScheduleSearch = z.infer<typeof Search>

/** The page of the timeline from which somebody came. */
export function timelineHref(journeyId: string | number, page = 1): string {
  return page > 1 ? `/lljs/${journeyId}/schedule?page=${page}` : `/lljs/${journeyId}/schedule`
}

export function readSearch(request: Request) {
  const { searchParams } = new URL(request.url)
  const lists = { member_ids: searchParams.getAll('member_ids') }
  return Search.parse({ ...Object.fromEntries(searchParams), ...lists })
}

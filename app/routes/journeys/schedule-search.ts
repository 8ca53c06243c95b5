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
  participantsModal: flag,
  journeyModal: flag,
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
  /** Inside the participants: whom to look for outside and inside, and which page of those who take part. */
  people: words,
  find: words,
  members: z.coerce.number().int().min(1).max(100_000).catch(1),
  member: id,
  /** Inside one participant: the question before they leave, and whom to look for as a successor. */
  leave: flag,
  seek: words,
  /** Who is ticked to become a learner while others are looked for. */
  user_ids: ids,
})

export type ScheduleSearch = z.infer<typeof Search>

/** The page of the timeline from which somebody came. */
export function timelineHref(journeyId: string | number, page = 1): string {
  return page > 1 ? `/lljs/${journeyId}/schedule?page=${page}` : `/lljs/${journeyId}/schedule`
}

/** The participants as somebody left them: the page, and whom they looked for. */
export function participantsHref(journeyId: string, request: Request): string {
  const left = [...new URL(request.url).searchParams].filter(([name]) => OF_PARTICIPANTS.has(name))
  return `/lljs/${journeyId}/schedule?${new URLSearchParams([['participantsModal', 'true'], ...left])}`
}

const OF_PARTICIPANTS = new Set(['page', 'people', 'find', 'members'])

export function readSearch(request: Request) {
  const { searchParams } = new URL(request.url)
  const lists = { user_ids: searchParams.getAll('user_ids'), member_ids: searchParams.getAll('member_ids') }
  return Search.parse({ ...Object.fromEntries(searchParams), ...lists })
}

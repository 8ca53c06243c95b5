/** Every figure counted separately over the rows, as DOMAIN defines it: shares no code with the product. */
import type { Dispatch, Occurrence, Prompt, RawRows, Response } from './raw-rows.ts'

export type Filters = {
  journey?: number
  user?: number
  lift?: number
  lift_id?: number
  prompt_id?: number
  lo_id?: number
  /** The day's first moment in the company's zone, and the first moment after its last. */
  from?: { day: string; start: Date }
  to?: { day: string; end: Date }
  as_of?: Date
}
/** The asker: an author sees their own journeys, and a sub-tenant only its own. */
export type Reader = { author: number | null; sub: string | null }

export type Book = ReturnType<typeof openBook>
export type Turn = Occurrence & {
  user_id: number
  prompts: number[]
  delivery: string
  sent: Date | null
  arrived: Date | null
}

const WAITING = ['planned', 'claimed', 'sending']
export const by = (date: Date | null, as_of: Date): boolean => date !== null && date <= as_of
const earliest = (dates: (Date | null)[]): Date | null =>
  dates.reduce((least, date) => (date && (!least || date < least) ? date : least), null)

/** The final fate of an occurrence's message: accepted at least once, or the reason why not, most open first. */
function fateOf({ state }: Occurrence, all: readonly Dispatch[]): string {
  const states = new Set(all.map((one) => one.state))
  if (all.some((one) => one.accepted_at)) return 'accepted'
  if (states.has('unknown')) return 'unknown'
  if (WAITING.some((one) => states.has(one))) return 'pending'
  if (states.has('failed') || states.has('undelivered')) return 'failed'
  if (states.has('expired') || state === 'expired') return 'expired'
  if (states.has('suppressed') || state === 'suppressed') return 'suppressed'
  return 'pending'
}

export function openBook(rows: RawRows) {
  const members = new Map(rows.members.map((one) => [one.id, one]))
  const journeys = new Map(rows.journeys.map((one) => [one.id, one]))
  const lifts = new Map(rows.lifts.map((one) => [one.id, one]))
  const prompts = new Map(rows.prompts.map((one) => [one.id, one]))
  const versions = new Map(rows.versions.map((one) => [`${one.lift_id} ${one.version}`, one.prompts]))
  const messages = Map.groupBy(
    rows.dispatches.filter((one) => one.kind !== 'test'),
    (one) => one.occurrence_id,
  )
  const answers = Map.groupBy(rows.responses, (one) => `${one.member_id} ${one.prompt_id}`)
  const turns: Turn[] = rows.occurrences.map((one) => {
    const own = messages.get(one.id) ?? []
    return {
      ...one,
      user_id: members.get(one.member_id)?.user_id ?? 0,
      prompts: versions.get(`${one.lift_id} ${one.content_version}`) ?? [],
      delivery: fateOf(one, own),
      sent: earliest(own.map((message) => message.accepted_at)),
      arrived: earliest(own.map((message) => message.delivered_at)),
    }
  })

  const isAbout = (turn: Turn, objective: number): boolean =>
    (lifts.get(turn.lift_id)?.objectives.includes(objective) ?? false) ||
    turn.prompts.some((id) => prompts.get(id)?.objectives.includes(objective))

  const isInReach = (turn: Turn, { author, sub }: Reader): boolean => {
    const journey = journeys.get(turn.journey_id)
    const isOwn = author === null || journey?.author_id === author
    return isOwn && (sub === null || journey?.sub_tenant_id === sub)
  }
  /** A turn of a learner who counts and took part when it was due. */
  const counts = (turn: Turn): boolean => {
    const member = members.get(turn.member_id)
    const isIn = member?.role === 'learner' && !member.exclude_data && turn.due_at !== null
    return isIn && (!member.left_at || (turn.due_at !== null && member.left_at > turn.due_at))
  }
  const fits = (wanted: number | undefined, is: (wanted: number) => boolean): boolean =>
    wanted === undefined || is(wanted)
  const matches = (turn: Turn, { journey, user, lift, lift_id, prompt_id, lo_id }: Filters): boolean =>
    fits(journey, (id) => turn.journey_id === id) &&
    fits(user, (id) => turn.user_id === id) &&
    fits(lift, (id) => turn.lift_id === id) &&
    fits(lift_id, (id) => turn.lift_id === id) &&
    fits(prompt_id, (id) => turn.prompts.includes(id)) &&
    fits(lo_id, (id) => isAbout(turn, id))
  const isInDays = ({ due_at }: Turn, { from, to }: Filters): boolean =>
    due_at !== null && (!from || due_at >= from.start) && (!to || due_at < to.end)

  /** Turns in the reader's reach that match the filters and were due by then, counted or not. */
  const matching = (reader: Reader, filters: Filters, as_of: Date): Turn[] =>
    turns
      .filter((turn) => by(turn.due_at, as_of) && isInReach(turn, reader))
      .filter((turn) => matches(turn, filters) && isInDays(turn, filters))
  /** The assigned turns ("population A"): counted, and neither canceled nor held. */
  const assigned = (reader: Reader, filters: Filters, as_of: Date): Turn[] =>
    matching(reader, filters, as_of)
      .filter(counts)
      .filter((turn) => !['cancelled', 'held'].includes(turn.state))

  /** When a question was first answered. */
  const respondedAt = (turn: Turn, prompt?: number): Date | null =>
    prompt === undefined
      ? turn.first_response_at
      : earliest((answers.get(`${turn.member_id} ${prompt}`) ?? []).map((one) => one.submitted_at))

  const tally = (all: readonly Turn[], as_of: Date, prompt?: number) =>
    count(all, as_of, (turn) => respondedAt(turn, prompt))

  /** The last answer by then of everyone who was asked. */
  function answersTo(prompt: Prompt, all: readonly Turn[], as_of: Date): Response[] {
    return all
      .filter((turn) => turn.lift_id === prompt.lift_id && turn.prompts.includes(prompt.id))
      .flatMap((turn) => {
        const given = (answers.get(`${turn.member_id} ${prompt.id}`) ?? []).filter(
          (one) => one.submitted_at <= as_of,
        )
        const [last] = given.sort(
          (one, other) => +other.submitted_at - +one.submitted_at || other.id - one.id,
        )
        return last ? [last] : []
      })
  }
  const messagesOf = (turn: Turn): readonly Dispatch[] => messages.get(turn.id) ?? []
  const sees = (journey_id: number, reader: Reader): boolean => {
    const [turn] = turns.filter((one) => one.journey_id === journey_id)
    return turn !== undefined && isInReach(turn, reader)
  }
  return {
    ...{ rows, turns, matching, assigned, tally, respondedAt, answersTo, messagesOf, sees, members },
    ...{ lifts, journeys, prompts },
  }
}

export const isSentBy = (turn: Turn, as_of: Date): boolean =>
  turn.delivery === 'accepted' && by(turn.sent, as_of)

function count(all: readonly Turn[], as_of: Date, respondedAt: (turn: Turn) => Date | null) {
  const many = (is: (turn: Turn) => boolean): number => all.filter(is).length
  const isSent = (turn: Turn) => isSentBy(turn, as_of)
  const counts = {
    assigned: all.length,
    accepted: many(isSent),
    unknown: many((turn) => turn.delivery === 'unknown'),
    suppressed: many((turn) => turn.delivery === 'suppressed'),
    failed: many((turn) => turn.delivery === 'failed'),
    expired: many((turn) => turn.delivery === 'expired'),
    pending: many((turn) => turn.delivery === 'pending' || (turn.delivery === 'accepted' && !isSent(turn))),
    delivered: many((turn) => by(turn.arrived, as_of)),
    opened: many((turn) => by(turn.opened_at, as_of)),
    asked: many((turn) => turn.prompts.length > 0),
    responded: many((turn) => turn.prompts.length > 0 && by(respondedAt(turn), as_of)),
    completed: many((turn) => by(turn.completed_at, as_of)),
  }
  return {
    counts,
    coverage: { n: counts.accepted, d: counts.assigned },
    delivery: { n: counts.delivered, d: counts.accepted },
    open: { n: many((turn) => by(turn.opened_at, as_of) && by(turn.arrived, as_of)), d: counts.delivered },
    response: { n: counts.responded, d: counts.asked },
    completion: { n: counts.completed, d: counts.assigned },
  }
}

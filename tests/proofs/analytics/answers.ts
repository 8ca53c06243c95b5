/** Answers one by one: of a lift, and of a learner with each lift of a journey. */
import { type Asked, type Compare, type Row, readAll } from './ask.ts'
import type { Occurrence, Prompt, Response } from './raw-rows.ts'

const READABLE = ['admins', 'sponsor']

/** An answer as people read it; options are named by their letters. */
function inWords({ kind }: Prompt, value: unknown): string {
  const letters = () => (value as string[]).map((id) => id.toUpperCase())
  switch (kind) {
    case 'true_false':
      return value === true ? 'True' : 'False'
    case 'scale':
      return `${value} of 5`
    case 'confidence':
      return `${value} of 10`
    case 'number':
      return String(value).replace(/^(\d)(\d{3})/, '$1,$2')
    case 'single_choice':
      return String(value).toUpperCase()
    case 'multiple_choice':
      return letters().join(', ')
    case 'ranking':
      return letters()
        .map((letter, nth) => `${nth + 1}. ${letter}`)
        .join(', ')
    case 'commitment': {
      const { what, by } = value as { what: string; by: string | null }
      return by ? `I will ${what} by Mar 9, 2031` : `I will ${what}`
    }
    default:
      return String(value)
  }
}

const pointsOf = ({ score }: Response, { max_score }: Prompt): number | null =>
  score === null ? null : score * max_score
/** Points are rounded to the hundredth, which eighths do not always fit. */
const isPoints = (got: number | null, wanted: number | null): boolean =>
  got === wanted || (got !== null && wanted !== null && Math.abs(got - wanted) < 0.005 + 1e-9)

export async function askAnswers(
  compare: Compare,
  { asker, book, filters, turns, luck }: Asked,
): Promise<void> {
  const lift = filters.lift ?? filters.lift_id ?? turns[0]?.lift_id
  if (lift === undefined) return
  const inLift = book.rows.prompts.filter((one) => one.lift_id === lift)
  const prompt = inLift.length > 0 && luck.isTrue(0.4) ? luck.one(inLift) : null
  const given = book.rows.responses
    .filter((one) => one.lift_id === lift && one.is_current && READABLE.includes(one.visibility))
    .filter((one) => prompt === null || one.prompt_id === prompt.id)
    .filter((one) => asker.knows(book.members.get(one.member_id)?.user_id))
    .sort((one, other) => +other.submitted_at - +one.submitted_at || other.id - one.id)
  const path = `/lifts/${lift}/responses?${prompt ? `prompt_id=${prompt.id}` : ''}`
  const { rows } = await readAll(asker.call, path)
  compare(
    `answers in ${lift}`,
    rows.map(({ id, user_id, prompt_id, words, exclude_data, submitted_at }: Row) => ({
      ...{ id, user_id, prompt_id, words, exclude_data, submitted_at },
    })),
    given.map((one) => ({
      ...{ id: one.id, prompt_id: one.prompt_id, submitted_at: one.submitted_at.toISOString() },
      user_id: book.members.get(one.member_id)?.user_id,
      words: inWords(book.prompts.get(one.prompt_id) as Prompt, one.value),
      exclude_data: book.members.get(one.member_id)?.exclude_data,
    })),
  )
  for (const [nth, one] of given.entries()) {
    const points = pointsOf(one, book.prompts.get(one.prompt_id) as Prompt)
    if (!isPoints(rows[nth]?.points ?? null, points))
      compare(`points of ${one.id}`, rows[nth]?.points, points)
    compare(`comment of ${one.id}`, rows[nth]?.comment, one.comment)
  }
}

export async function askLearner(compare: Compare, { asker, book, turns, luck }: Asked): Promise<void> {
  if (turns.length === 0) return
  const { member_id, journey_id, user_id } = luck.one(turns)
  const member = book.members.get(member_id)
  const { rows, first } = await readAll(asker.call, `/lljs/${journey_id}/learners/${user_id}/responses?`)
  compare(
    `learner ${user_id}`,
    [first.exclude_data, first.has_left],
    [member?.exclude_data, member?.left_at !== null],
  )
  const own = book.rows.occurrences
    .filter((one) => one.member_id === member_id && one.state !== 'cancelled')
    .sort((one, other) => dueOf(one) - dueOf(other) || one.id - other.id)
  const iso = (at: Date | null) => at?.toISOString() ?? null
  const deliveries = new Map(book.turns.map((turn) => [turn.id, turn.delivery]))
  compare(
    `lifts of learner ${user_id}`,
    rows.map(({ answers: _, ...row }: Row) => row),
    own.map((one) => ({
      ...{ lift_id: one.lift_id, required: true, delivery: deliveries.get(one.id) },
      ...{ state: stateOf(one), is_overdue: member?.left_at === null && isOverdue(one) },
      title: book.lifts.get(one.lift_id)?.title,
      ...{ due_at: iso(one.due_at), opened_at: iso(one.opened_at), closes_at: iso(one.closes_at) },
      ...{ responded_at: iso(one.first_response_at), completed_at: iso(one.completed_at) },
    })),
  )
  for (const [nth, one] of own.entries()) {
    const given = asker.knows(user_id) ? answersOf(book, one) : []
    compare(
      `answers of learner ${user_id} in ${one.lift_id}`,
      rows[nth]?.answers.map(({ id, words, value, visibility, points }: Row) => ({
        ...{ id, words, visibility, hasValue: value !== null, hasPoints: points !== null },
      })),
      given.map(([prompt, answer]) => {
        const isRead = READABLE.includes(answer.visibility)
        return {
          ...{ id: answer.id, visibility: answer.visibility, hasValue: isRead },
          words: isRead ? inWords(prompt, answer.value) : null,
          hasPoints: isRead && answer.score !== null,
        }
      }),
    )
  }
}

const dueOf = ({ due_at }: Occurrence): number => due_at?.getTime() ?? Number.POSITIVE_INFINITY

const isOver = ({ closes_at }: Occurrence): boolean => closes_at !== null && closes_at.getTime() <= Date.now()

/** An occurrence counts as expired once it is closed, although its row does not change. */
const stateOf = (one: Occurrence): string =>
  ['sent', 'opened'].includes(one.state) && isOver(one) ? 'expired' : one.state

const THREE_DAYS = 3 * 86_400_000
const isOverdue = (one: Occurrence): boolean =>
  ['sent', 'opened', 'responded', 'suppressed'].includes(one.state) &&
  !isOver(one) &&
  Date.now() - dueOf(one) > THREE_DAYS

/** Answers to the questions of the version that was sent, in their order. */
function answersOf(book: Asked['book'], { member_id, lift_id, content_version }: Occurrence) {
  const version = book.rows.versions.find((one) => one.lift_id === lift_id && one.version === content_version)
  return (version?.prompts ?? []).flatMap((id): [Prompt, Response][] => {
    const prompt = book.prompts.get(id)
    const answer = book.rows.responses.find(
      (one) => one.member_id === member_id && one.prompt_id === id && one.is_current,
    )
    return prompt && answer ? [[prompt, answer]] : []
  })
}

/** The questions of a lift: which are shown, how many were asked and answered, and how the answers spread. */
import type { Asked, Compare, Row } from './ask.ts'
import type { Prompt, Response } from './raw-rows.ts'

const READABLE = ['admins', 'sponsor']
const NUMBERS = ['scale', 'confidence', 'number']
const FEWEST = 5
const CHOICES = ['single_choice', 'multiple_choice', 'ranking']

type About = Omit<Asked, 'luck'>

export function compareQuestions(compare: Compare, told: readonly Row[], about: About): void {
  const { book, filters, turns, as_of } = about
  compare(
    'questions',
    told.map((one) => one.prompt_id),
    toldOf(about).map(({ id }) => id),
  )
  for (const one of told) {
    const prompt = book.prompts.get(one.prompt_id)
    if (!prompt) throw new Error(`There is no question ${one.prompt_id}.`)
    const answers = book.answersTo(prompt, turns, as_of)
    const asked = turns.filter((turn) => turn.prompts.includes(prompt.id)).length
    compare(`question ${prompt.id}`, one.response, { n: answers.length, d: asked })
    const readable = answers.filter(
      ({ visibility, member_id }) =>
        READABLE.includes(visibility) && about.asker.knows(book.members.get(member_id)?.user_id),
    )
    compareScores(compare, one, prompt, readable, as_of)
    if (prompt.visibility === 'aggregate_only') {
      compare(`groups of ${prompt.id}`, one.counted % FEWEST, 0)
      compareAnswers(compare, one, prompt, inFives(about, prompt))
    } else compareAnswers(compare, one, prompt, prompt.visibility === 'learner_only' ? [] : readable)
    if (filters.prompt_id !== undefined) compare('the one question', prompt.id, filters.prompt_id)
  }
}

/** All questions of the lift, if at least one of them was asked. */
function toldOf({ book, filters, turns }: About): Prompt[] {
  const { lift, lift_id, prompt_id, lo_id } = filters
  const id = lift ?? lift_id
  if (id === undefined || !turns.some((turn) => turn.prompts.length > 0)) return []
  const isTagged = (one: Prompt) =>
    lo_id === undefined ||
    one.objectives.includes(lo_id) ||
    (book.lifts.get(id)?.objectives.includes(lo_id) ?? false)
  return book.rows.prompts.filter(
    (one) => one.lift_id === id && (prompt_id === undefined || one.id === prompt_id) && isTagged(one),
  )
}

/** Whatever the filters: complete groups of five in order of arrival, with their answers at that time. */
function inFives({ asker, book, turns: [some] }: About, prompt: Prompt): Response[] {
  if (!some) return []
  const { journey_id, lift_id } = some
  const now = new Date()
  const counted = new Set(
    book.assigned(asker, { journey: journey_id, lift: lift_id }, now).map((turn) => turn.member_id),
  )
  const all = book.rows.responses
    .filter((one) => one.prompt_id === prompt.id && one.visibility === 'aggregate_only')
    .sort((one, other) => one.id - other.id)
  const people = [...Map.groupBy(all, (one) => one.member_id).values()]
  const fives = Map.groupBy(people, (one) => Math.floor(people.indexOf(one) / FEWEST))
  return [...fives.values()]
    .filter((five) => five.length === FEWEST && five.every(([one]) => one && counted.has(one.member_id)))
    .flatMap((five) => {
      const last = Math.max(...five.map(([first]) => first?.id ?? 0))
      return five.flatMap((answers) => answers.findLast(({ id }) => id <= last) ?? [])
    })
}

const isNear = (got: number | null, wanted: number | null): boolean =>
  got === wanted || (got !== null && wanted !== null && Math.abs(got - wanted) < 1e-9)
const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** Options that were not ranked come after all that were. */
const placeOf = (ranked: readonly string[], id: string): number =>
  ranked.includes(id) ? ranked.indexOf(id) + 1 : ranked.length + 1

function compareAnswers(
  compare: Compare,
  one: Row,
  { id, kind }: Prompt,
  answers: readonly Response[],
): void {
  const values = answers.map(({ value }) => value)
  compare(`answers to ${id}`, one.counted, values.length)
  if (values.length > 0 && CHOICES.includes(kind))
    compare(
      `options of ${id}`,
      one.options.map((option: Row) => option.id),
      ['a', 'b', 'c'],
    )
  if (values.length === 0) compare(`options of ${id}`, one.options, [])
  for (const option of one.options) {
    const chosen = values.filter((value) =>
      kind === 'ranking'
        ? (value as string[])[0] === option.id
        : [value].flat().some((part) => String(part) === option.id),
    )
    compare(`answer ${option.id} to ${id}`, option.count, chosen.length)
    const wanted =
      kind === 'ranking' ? meanOf(values.map((value) => placeOf(value as string[], option.id))) : null
    if (!isNear(option.mean_rank, wanted)) compare(`place of ${option.id} in ${id}`, option.mean_rank, wanted)
  }
  const mean = NUMBERS.includes(kind) ? meanOf(values.map(Number)) : null
  if (!isNear(one.mean, mean)) compare(`mean of ${id}`, one.mean, mean)
}

/** Scores of the last answers by then of everyone who was asked: in points, rounded to the hundredth. */
function compareScores(
  compare: Compare,
  one: Row,
  { id, scoring, max_score, visibility }: Prompt,
  readable: readonly Response[],
  as_of: Date,
): void {
  const scores = readable
    .filter(({ score, scored_at }) => score !== null && scored_at !== null && scored_at <= as_of)
    .map(({ score }) => Number(score))
  const mean = scoring === 'none' || !READABLE.includes(visibility) ? null : meanOf(scores)
  compare(`scored answers to ${id}`, one.score?.n ?? 0, mean === null ? 0 : scores.length)
  if (mean === null || !one.score) return
  compare(`points of ${id}`, one.score.max_score, max_score)
  if (Math.abs(one.score.mean - mean * max_score) > 0.005 + 1e-9)
    compare(`mean points of ${id}`, one.score.mean, mean * max_score)
}

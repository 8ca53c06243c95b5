/** The people and lifts behind a figure, with the fate of each, and what the figure leaves out. */
import { type Asked, asQuery, type Compare, type Row, readAll } from './ask.ts'
import { by, isSentBy, type Turn } from './by-hand.ts'
import { codeOf, isHindered, reasonOf } from './reasons.ts'

const FIGURES = ['coverage', 'delivery', 'open', 'response', 'completion'] as const
const OUTCOMES = ['all', 'yes', 'no'] as const
type Figure = (typeof FIGURES)[number]

export async function askExplained(compare: Compare, asked: Asked, overview: Row): Promise<void> {
  const { asker, filters, luck } = asked
  const [figure, outcome] = [luck.one(FIGURES), luck.one(OUTCOMES)]
  const path = `/analytics/explain?${asQuery(filters)}&figure=${figure}&outcome=${outcome}&order_by=due`
  const { rows, first } = await readAll(asker.call, path)
  const [among, counts] = partsOf(asked, figure)
  const all = asked.turns.filter(among)
  const wanted = all
    .filter((turn) => outcome === 'all' || counts(turn) === (outcome === 'yes'))
    .sort((one, other) => Number(one.due_at) - Number(other.due_at) || one.id - other.id)
  const what = `${outcome} behind ${figure}`
  compare(`${what}: rate`, first.rate, { n: all.filter(counts).length, d: all.length })
  compare(`${what}: as on the tile`, first.rate, overview[figure])
  compare(`${what}: learners`, first.learners, new Set(wanted.map(({ user_id }) => user_id)).size)
  compare(
    what,
    rows.map(toldOf),
    wanted.map((turn) => rowOf(asked, turn, counts(turn))),
  )
  compareLeftOut(compare, asked, { figure, told: first.left_out })
}

function partsOf({ book, filters, as_of }: Asked, figure: Figure) {
  const all = () => true
  const asks = (turn: Turn) => turn.prompts.length > 0
  const isSent = (turn: Turn) => isSentBy(turn, as_of)
  const isThere = (turn: Turn) => by(turn.arrived, as_of)
  const isAnswered = (turn: Turn) => by(book.respondedAt(turn, filters.prompt_id), as_of)
  return {
    coverage: [all, isSent],
    delivery: [isSent, isThere],
    open: [isThere, (turn: Turn) => by(turn.opened_at, as_of)],
    response: [asks, isAnswered],
    completion: [all, (turn: Turn) => by(turn.completed_at, as_of)],
  }[figure] as [(turn: Turn) => boolean, (turn: Turn) => boolean]
}

const toldOf = ({ name: _, journey: __, lift: ___, ...row }: Row) => row

function rowOf({ book, filters, as_of }: Asked, turn: Turn, counts: boolean) {
  const upTo = (at: Date | null) => (by(at, as_of) ? (at?.toISOString() ?? null) : null)
  const { id: occurrence_id, user_id, journey_id, lift_id, delivery } = turn
  return {
    ...{ occurrence_id, user_id, journey_id, lift_id, delivery, counts },
    reason: isHindered(turn) ? reasonOf(delivery, codeOf(book, turn)) : null,
    due_at: turn.due_at?.toISOString(),
    sent_at: upTo(turn.sent),
    delivered_at: upTo(turn.arrived),
    opened_at: upTo(turn.opened_at),
    answered_at: upTo(book.respondedAt(turn, filters.prompt_id)),
    completed_at: upTo(turn.completed_at),
  }
}

function compareLeftOut(
  compare: Compare,
  { asker, book, filters, turns, as_of }: Asked,
  { figure, told }: { figure: Figure; told: Row },
): void {
  const all = book.matching(asker, filters, as_of)
  const isLeftOut = (turn: Turn) => {
    const member = book.members.get(turn.member_id)
    return member?.exclude_data || member?.role !== 'learner'
  }
  const others = all.filter((turn) => !isLeftOut(turn))
  const had = (turn: Turn) => {
    const left = book.members.get(turn.member_id)?.left_at
    return left ? by(left, turn.due_at ?? as_of) : false
  }
  const excluded = new Set(all.filter(isLeftOut).map((turn) => turn.user_id))
  const silent = new Set(
    turns.filter((turn) => figure === 'response' && turn.prompts.length === 0).map((turn) => turn.lift_id),
  )
  compare(
    `left out of ${figure}`,
    { ...told, excluded: told.excluded.total, without_questions: told.without_questions.total },
    {
      ...{ excluded: excluded.size, without_questions: silent.size },
      held: others.filter((turn) => turn.state === 'held').length,
      left: others.filter((turn) => !['held', 'cancelled'].includes(turn.state) && had(turn)).length,
    },
  )
  const isNamed = told.excluded.data.every((one: Row) => excluded.has(one.id))
  compare(
    'who is named as left out',
    [isNamed, told.excluded.data.length],
    [true, Math.min(20, excluded.size)],
  )
}

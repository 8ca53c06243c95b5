/** Learners by lifts: every cell, page by page both ways, and the sums of the cells. */
import { type Asked, asQuery, type Compare, type Row } from './ask.ts'
import { by, isSentBy, type Turn } from './by-hand.ts'

const LIFTS_A_PAGE = 50

export async function askGrid(compare: Compare, asked: Asked): Promise<void> {
  const { asker, book, filters, as_of, luck } = asked
  const journey = filters.journey ?? asked.turns[0]?.journey_id
  if (journey === undefined) return
  const { journey: _, ...others } = filters
  const turns = book.assigned(asker, { ...others, journey }, as_of)
  const path = `/lljs/${journey}/grid?${asQuery(others)}&per_page=${1 + luck.upTo(9)}`
  const got = await readGrid(asker.call, path)

  const cells = turns.map((turn) => [`${turn.user_id} ${turn.lift_id}`, cellOf(asked, turn)])
  compare('cells', got.cells, Object.fromEntries(cells.sort()))
  const people = Map.groupBy(turns, (turn) => turn.user_id)
  compare('learners of the grid', got.learners.sort(), [...people.keys()].sort())
  const positionOf = (id: number) => book.lifts.get(id)?.position ?? 0
  const inOrder = [...new Set(turns.map((turn) => turn.lift_id))].sort(
    (one, other) => positionOf(one) - positionOf(other),
  )
  compare('lifts of the grid', got.lifts, inOrder)
  compare('lifts of a page', got.widest <= LIFTS_A_PAGE, true)
  const done = [...people.values()].filter((own) => own.every((turn) => by(turn.completed_at, as_of)))
  compare('who has completed all', got.done, { n: done.length, d: people.size })
}

function cellOf({ book, filters, as_of }: Asked, turn: Turn): string {
  const isAnswered = turn.prompts.length > 0 && by(book.respondedAt(turn, filters.prompt_id), as_of)
  if (by(turn.completed_at, as_of)) return 'completed'
  if (isAnswered) return 'answered'
  if (by(turn.opened_at, as_of)) return 'opened'
  if (isSentBy(turn, as_of)) return 'sent'
  if (turn.delivery === 'accepted' || turn.delivery === 'pending') return 'waiting'
  return turn.delivery === 'unknown' ? 'unknown' : 'not_sent'
}

/** All its pages, across and down. */
async function readGrid(call: Asked['asker']['call'], path: string) {
  const cells: [string, string][] = []
  const columns = new Set<number>()
  const people: number[] = []
  const read = (page: number, across: number) => call('GET', `${path}&page=${page}&lifts_page=${across}`)
  const first = await read(1, 1)
  let widest = 0
  for (let page = 1; page <= Math.max(1, first.pagination.total_pages); page++)
    for (let across = 1; across <= Math.max(1, first.lifts_pagination.total_pages); across++) {
      const part = await read(page, across)
      const shown: number[] = part.lifts.map((one: Row) => one.lift_id)
      for (const id of shown) columns.add(id)
      widest = Math.max(widest, shown.length)
      if (across === 1) people.push(...part.learners.map((one: Row) => one.user_id))
      for (const row of part.learners) cells.push(...cellsOf(row, shown))
    }
  return {
    cells: Object.fromEntries(cells.sort()),
    ...{ learners: people, lifts: [...columns], done: first.done, widest },
  }
}

const cellsOf = ({ user_id, cells }: Row, shown: readonly number[]): [string, string][] =>
  cells.flatMap((cell: string | null, nth: number) => (cell ? [[`${user_id} ${shown[nth]}`, cell]] : []))

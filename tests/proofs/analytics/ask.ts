/** Random questions, each asked of every view and compared with the separate count; returns the differences. */
import { isDeepStrictEqual } from 'node:util'
import { Temporal } from 'temporal-polyfill'
import type { Must } from '../people-everywhere.ts'
import { askAnswers, askLearner } from './answers.ts'
import type { Book, Filters, Reader, Turn } from './by-hand.ts'
import type { Chance } from './chance.ts'
import { askExplained } from './explained.ts'
import { askGrid } from './grid.ts'
import { askPictures } from './pictures.ts'
import { compareQuestions } from './questions.ts'
import type { RawRows } from './raw-rows.ts'

const ZONE = 'Europe/Vienna'

/** `knows`: whether a person is in the asker's scope, so that the asker can read that person's answers. */
export type Asker = Reader & { call: Must; knows(user: number | undefined): boolean }
export type Compare = (what: string, got: unknown, wanted: unknown) => void

export function drawFilters(luck: Chance, rows: RawRows, reader: Reader, now: Date): Filters {
  const seen = (id: number): boolean => {
    const journey = rows.journeys.find((one) => one.id === id)
    const isOwn = reader.author === null || journey?.author_id === reader.author
    return isOwn && (reader.sub === null || journey?.sub_tenant_id === reader.sub)
  }
  const lifts = rows.lifts.filter((one) => seen(one.journey_id))
  const lift = luck.one(lifts)
  const inLift = rows.prompts.filter((one) => one.lift_id === lift.id)
  const inJourney = rows.objectives.filter((one) => one.journey_id === lift.journey_id)
  const learners = rows.members.filter((one) => one.journey_id === lift.journey_id && one.role === 'learner')
  const day = () =>
    Temporal.Instant.fromEpochMilliseconds(now.getTime() - luck.upTo(70) * 86_400_000)
      .toZonedDateTimeISO(ZONE)
      .toPlainDate()
  const [first, last] = [day(), day()]
  const startOf = (date: Temporal.PlainDate) =>
    new Date(date.toZonedDateTime({ timeZone: ZONE }).epochMilliseconds)
  const may = (share: number) => luck.isTrue(share)
  return {
    ...(may(0.4) && { journey: lift.journey_id }),
    ...(may(0.3) && learners.length > 0 && { user: luck.one(learners).user_id }),
    ...(may(0.3) && { lift: lift.id }),
    ...(may(0.15) && { lift_id: luck.one(lifts).id }),
    ...(may(0.2) && inLift.length > 0 && { prompt_id: luck.one(inLift).id }),
    ...(may(0.25) && inJourney.length > 0 && { lo_id: luck.one(inJourney).id }),
    ...(may(0.2) && { from: { day: first.toString(), start: startOf(first) } }),
    ...(may(0.2) && { to: { day: last.toString(), end: startOf(last.add({ days: 1 })) } }),
    ...(may(0.3) && { as_of: new Date(now.getTime() - luck.upTo(70 * 24) * 3_600_000) }),
  }
}

export function asQuery({ from, to, as_of, ...ids }: Filters): string {
  const named = Object.entries(ids).map(([name, id]) => [name, String(id)])
  const days = [
    ...(from ? [['from', from.day]] : []),
    ...(to ? [['to', to.day]] : []),
    ...(as_of ? [['as_of', as_of.toISOString()]] : []),
  ]
  return new URLSearchParams([...named, ...days] as [string, string][]).toString()
}

// biome-ignore lint/suspicious/noExplicitAny: what the API answered
export type Row = any

/** All rows of a table, page by page. */
export async function readAll(call: Must, path: string): Promise<{ rows: Row[]; first: Row }> {
  const rows: Row[] = []
  let first: Row = null
  for (let page = 1; ; page++) {
    const answer = await call('GET', `${path}&page=${page}&per_page=50`)
    first ??= answer
    rows.push(...answer.data)
    if (page >= answer.pagination.total_pages || answer.data.length === 0) break
  }
  return { rows, first }
}

/** One question: the asker, the filters, and what it is about. */
export type Asked = {
  asker: Asker
  book: Book
  filters: Filters
  turns: readonly Turn[]
  as_of: Date
  luck: Chance
}

/** Asks one question of all views; each returned line is a difference. */
export async function askAll(asker: Asker, book: Book, filters: Filters, luck: Chance): Promise<string[]> {
  const query = asQuery(filters)
  const now = new Date()
  const as_of = filters.as_of ?? now
  const turns = book.assigned(asker, filters, as_of)
  const differences: string[] = []
  const compare = (what: string, got: unknown, wanted: unknown) => {
    if (!isDeepStrictEqual(got, wanted))
      differences.push(
        `${query || 'everything'}, ${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`,
      )
  }
  const tally = (some: typeof turns) => book.tally(some, as_of, filters.prompt_id)

  const overview = await asker.call('GET', `/analytics/overview?${query}`)
  compare('overview', figuresOf(overview), tally(turns))
  compare(
    'how many',
    [overview.learners, overview.journeys, overview.lifts],
    [
      new Set(turns.map((turn) => turn.user_id)).size,
      new Set(turns.map((turn) => turn.journey_id)).size,
      new Set(turns.map((turn) => turn.lift_id)).size,
    ],
  )
  compare('what adds up', overview.counts.assigned, addUp(overview.counts))
  for (const rate of ['coverage', 'open', 'response', 'completion'])
    compare(`${rate} beyond all`, overview[rate].n > overview[rate].d, false)

  const byUser = await readAll(asker.call, `/analytics/by_user?${query}`)
  const people = Map.groupBy(turns, (turn) => turn.user_id)
  compare('people', byUser.rows.map((row) => row.user_id).sort(), [...people.keys()].sort())
  for (const row of byUser.rows)
    compare(`person ${row.user_id}`, figuresOf(row), tally(people.get(row.user_id) ?? []))
  compare('sum of people', sumOf(byUser.rows), overview.counts)

  const byLift = await readAll(asker.call, `/analytics/by_lift?${query}`)
  const lifts = Map.groupBy(turns, (turn) => turn.lift_id)
  compare('lifts', byLift.rows.map((row) => row.lift_id).sort(), [...lifts.keys()].sort())
  for (const row of byLift.rows)
    compare(`lift ${row.lift_id}`, figuresOf(row), tally(lifts.get(row.lift_id) ?? []))
  compare('sum of lifts', sumOf(byLift.rows), overview.counts)

  compareQuestions(compare, byLift.first.prompts, { asker, book, filters, turns, as_of })
  const asked = { asker, book, filters: { ...filters, as_of }, turns, as_of, luck }
  await askPictures(compare, asked, overview)
  await askGrid(compare, asked)
  await askExplained(compare, asked, overview)
  await askAnswers(compare, asked)
  await askLearner(compare, asked)
  return differences
}

export const figuresOf = ({ counts, coverage, delivery, open, response, completion }: Row) => ({
  ...{ counts, coverage, delivery, open, response, completion },
})

const addUp = (counts: Record<string, number>): number =>
  ['accepted', 'unknown', 'suppressed', 'failed', 'expired', 'pending'].reduce(
    (sum, name) => sum + (counts[name] ?? 0),
    0,
  )

export function sumOf(rows: readonly Row[]): Record<string, number> {
  const names = Object.keys(rows[0]?.counts ?? {})
  const sum = Object.fromEntries(
    names.map((name) => [name, rows.reduce((all, row) => all + row.counts[name], 0)]),
  )
  return names.length > 0 ? sum : NOTHING
}
const NOTHING = Object.fromEntries(
  [
    ...[
      'assigned',
      'accepted',
      'unknown',
      'suppressed',
      'failed',
      'expired',
      'pending',
      'delivered',
      'opened',
    ],
    ...['asked', 'responded', 'completed'],
  ].map((name) => [name, 0]),
)

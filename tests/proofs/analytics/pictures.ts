/** The data of the charts: weeks, days until the answer, what did not get through, and the median time to answer. */
import { Temporal } from 'temporal-polyfill'
import { type Asked, asQuery, type Compare, figuresOf, type Row, sumOf } from './ask.ts'
import { by, isSentBy, type Turn } from './by-hand.ts'
import { codeOf, isHindered, reasonOf } from './reasons.ts'

const ZONE = 'Europe/Vienna'
const WEEKS = 26
const LAST_DAY = 14
const DAY = 86_400_000
const MINUTE = 60_000
const QUARTER = 15 * MINUTE

export async function askPictures(compare: Compare, asked: Asked, overview: Row): Promise<void> {
  await askTrend(compare, asked, overview)
  await askTiming(compare, asked, overview)
  await askFailures(compare, asked, overview)
  await askTimeToAnswer(compare, asked)
}

const mondayOf = (date: Date): string => {
  const day = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(ZONE).toPlainDate()
  return day.subtract({ days: day.dayOfWeek - 1 }).toString()
}

async function askTrend(
  compare: Compare,
  { asker, book, filters, turns, as_of }: Asked,
  overview: Row,
): Promise<void> {
  const { weeks } = await asker.call('GET', `/analytics/trend?${asQuery(filters)}`)
  const due = Map.groupBy(turns, (turn) => mondayOf(turn.due_at ?? as_of))
  compare(
    'weeks',
    weeks.map((one: Row) => one.week),
    [...due.keys()].sort().slice(-WEEKS),
  )
  for (const one of weeks)
    compare(
      `week of ${one.week}`,
      figuresOf(one),
      book.tally(due.get(one.week) ?? [], as_of, filters.prompt_id),
    )
  if (due.size <= WEEKS) compare('sum of weeks', sumOf(weeks), overview.counts)
}

async function askTiming(
  compare: Compare,
  { asker, book, filters, turns, as_of }: Asked,
  overview: Row,
): Promise<void> {
  const timing = await asker.call('GET', `/analytics/timing?${asQuery(filters)}`)
  const asking = turns.filter((turn) => turn.prompts.length > 0)
  const answered = (turn: Turn) => {
    const at = book.respondedAt(turn, filters.prompt_id)
    return by(at, as_of) ? at : null
  }
  const sent = asking.filter((turn) => isSentBy(turn, as_of))
  const since = (turn: Turn, moment: Date) => Math.max(0, Number(moment) - Number(turn.sent)) / DAY
  const days = sent.flatMap((turn) => {
    const at = answered(turn)
    return at ? [Math.min(LAST_DAY, Math.floor(since(turn, at)))] : []
  })
  compare('sent and asking', timing.sent, sent.length)
  compare(
    'days',
    timing.days,
    Array.from({ length: LAST_DAY + 1 }, (_, day) => ({
      day,
      answered: days.filter((one) => one === day).length,
    })),
  )
  for (const { days: many, rate } of timing.within) {
    const old = sent.filter((turn) => Number(as_of) - quarterEnd(turn.sent) >= many * DAY)
    const soon = old.filter((turn) => {
      const at = answered(turn)
      return at !== null && since(turn, at) < many
    })
    compare(`answered within ${many} days`, rate, { n: soon.length, d: old.length })
  }
  compare(
    'days that are told',
    timing.within.map((one: Row) => one.days),
    [1, 3, 7],
  )
  const unsent = asking.filter((turn) => !isSentBy(turn, as_of) && answered(turn))
  compare('answered without a message', timing.unsent, unsent.length)
  compare('sum of days', days.length + timing.unsent, overview.counts.responded)
}

/** A message's age is counted from the end of the quarter of an hour in which it was sent. */
const quarterEnd = (sent: Date | null): number => (Math.floor(Number(sent) / QUARTER) + 1) * QUARTER

async function askFailures(
  compare: Compare,
  { asker, book, filters, turns }: Asked,
  overview: Row,
): Promise<void> {
  const { assigned, data } = await asker.call('GET', `/analytics/failures?${asQuery(filters)}`)
  const of = new Map<string, number>()
  for (const turn of turns) {
    if (!isHindered(turn)) continue
    const key = `${turn.delivery} ${codeOf(book, turn)}`
    of.set(key, (of.get(key) ?? 0) + 1)
  }
  const keyOf = (row: Row) => `${row.outcome} ${row.code}`
  compare(
    'not through',
    Object.fromEntries(data.map((row: Row) => [keyOf(row), row.count])),
    Object.fromEntries(of),
  )
  for (const row of data) compare(`reason of ${keyOf(row)}`, row.reason, reasonOf(row.outcome, row.code))
  compare(
    'the most frequent first',
    data.map((row: Row) => row.count),
    [...of.values()].sort((one, other) => other - one),
  )
  compare('all due', assigned, overview.counts.assigned)
  const { unknown, suppressed, failed, expired } = overview.counts
  compare(
    'sum of reasons',
    [...of.values()].reduce((sum, one) => sum + one, 0),
    unknown + suppressed + failed + expired,
  )
}

type Seen = { minutes: number; isAnswered: boolean }

async function askTimeToAnswer(compare: Compare, { asker, book, filters, as_of }: Asked): Promise<void> {
  const { journey, lift } = filters
  if (journey && lift && book.lifts.get(lift)?.journey_id !== journey) return
  const part = { ...(journey && { journey }), ...(lift && { lift }), as_of }
  const told = await asker.call('GET', `/analytics/time_to_answer?${asQuery(part)}`)
  const seen: Seen[] = book
    .assigned(asker, part, as_of)
    .filter((turn) => turn.prompts.length > 0)
    .map((turn) => {
      const began = by(turn.sent, as_of) ? turn.sent : turn.due_at
      const isAnswered = by(turn.first_response_at, as_of)
      const closed = turn.closes_at && turn.closes_at < as_of ? turn.closes_at : as_of
      const until = isAnswered ? turn.first_response_at : closed
      return { minutes: Math.max(0, Math.floor((Number(until) - Number(began)) / MINUTE)), isAnswered }
    })
  const those = seen.filter((one) => one.isAnswered)
  const { asked, answered, median, median_of_all } = told
  compare(
    'time to answer',
    { asked, answered, median, median_of_all },
    {
      ...{ asked: seen.length, answered: those.length },
      median: halfOf(those),
      median_of_all: halfOf(seen),
    },
  )
}

/**
 * The median time to answer. Each silent learner passes on their weight in equal parts to all who were still observed
 * (Efron’s redistribution to the right, equal to the Kaplan–Meier estimate); in exact fractions, so that half is half.
 */
function halfOf(seen: readonly Seen[]): number | null {
  // An answer comes before a censoring in the same minute.
  const inOrder = [...seen].sort(
    (one, other) => one.minutes - other.minutes || Number(other.isAnswered) - Number(one.isAnswered),
  )
  // All who are left have equal weight: a fraction n/d of the whole.
  let [n, d] = [1n, BigInt(Math.max(1, inOrder.length))]
  let [gone, of] = [0n, 1n]
  for (const [nth, { minutes, isAnswered }] of inOrder.entries()) {
    const left = BigInt(inOrder.length - nth - 1)
    if (!isAnswered) {
      if (left > 0n) [n, d] = reduced(n * (left + 1n), d * left)
      continue
    }
    ;[gone, of] = reduced(gone * d + n * of, of * d)
    if (2n * gone >= of) return minutes
  }
  return null
}

function reduced(n: bigint, d: bigint): [bigint, bigint] {
  let [one, other] = [n, d]
  while (other > 0n) [one, other] = [other, one % other]
  return [n / one, d / one]
}

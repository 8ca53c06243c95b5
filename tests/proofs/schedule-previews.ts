/**
 * Journeys with random rules, each with one person per zone, previewed and then launched through the API on a real
 * database: the rows are judged one by one, and compared with the previews.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { clockOf } from './clock.ts'
import { type Must, openEverywhere } from './people-everywhere.ts'

const JOURNEYS = 9
const LIFTS = 6
/** How many people of each journey are previewed before its launch, different ones each time. */
const SHOWN = 50
const DAY = 86_400_000
const QUIET = { from: '20:00', to: '09:00' }
const SEND_DAYS = [
  ['Mon', 'Tue', 'Thu', 'Sat'],
  ['Sun'],
  ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
  ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
]

type Moment = { zone: string; at: number }
type Occurrence = {
  lift_id: number
  user_id: number
  zone: string
  /** In the zone's wall-clock time, before any shift. */
  planned: string
  due_at: Date
  state: string
  leaving: Date[]
}
export type Found = { occurrences: number; shown: number; failures: string[] }

const clock = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map((pair) => pair.map((n) => String(n).padStart(2, '0')).join(':'))

/** Rules that lead to a change of clocks somewhere, or just beside it. */
const rulesAround = (moments: readonly Moment[]) => {
  const soon = Date.now() + 4 * DAY
  const changes = moments.map(({ at }) => at).filter((at) => at > soon)
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -1, max: 1 }))
    .map(([at, days]) => new Date(Math.max(at + days * DAY, soon)))
  return fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant('absolute'),
        date: near.map((date) => date.toISOString().slice(0, 10)),
        time: clock,
      }),
      fc.record({
        kind: fc.constant('offset'),
        from: fc.constantFrom('start', 'joined'),
        days: near.map((date) => Math.min(730, Math.ceil((date.getTime() - Date.now()) / DAY))),
        time: fc.option(clock),
      }),
      fc.record({
        kind: fc.constant('weekly'),
        week: fc.integer({ min: 3, max: 104 }),
        weekday: fc.constantFrom('Mon', 'Wed', 'Sun'),
        time: fc.option(clock),
      }),
    ),
    { minLength: LIFTS, maxLength: LIFTS },
  )
}

export async function provePreviews(moments: readonly Moment[]): Promise<Found> {
  const { inAcme, must, plan, people, close } = await openEverywhere()
  try {
    const found: Found = { occurrences: 0, shown: 0, failures: [] }
    const taken = new Set<string>()
    for (const [nth, rules] of fc.sample(rulesAround(moments), { numRuns: JOURNEYS, seed: 7 }).entries()) {
      const send_days = SEND_DAYS[nth % SEND_DAYS.length] ?? []
      const id = await write(must, `Proved ${nth + 1}`, send_days, rules, people)
      const shown = people.filter((_, index) => index % Math.floor(people.length / SHOWN) === nth)
      const before = new Map<number, string>()
      for (const one of shown) before.set(one.id, await showTo(must, id, one.id))
      await must('POST', `/lljs/${id}/launch`, { skip_past: true, expected_recipients: people.length })
      await plan()
      const occurrences = await inAcme((scope) => readOccurrences(scope, id))
      found.failures.push(...judge(occurrences, people.length, send_days, taken))
      for (const [user, foreseen] of before) {
        const planned = asLines(occurrences.filter((occurrence) => occurrence.user_id === user))
        if (planned !== foreseen)
          found.failures.push(`Journey ${nth + 1}, person ${user}, shown:\n${foreseen}\nplanned:\n${planned}`)
      }
      found.occurrences += occurrences.length
      found.shown += before.size
    }
    return found
  } finally {
    await close()
  }
}

async function write(
  must: Must,
  name: string,
  send_days: string[],
  rules: readonly object[],
  people: readonly { id: number }[],
): Promise<number> {
  const { id } = await must('POST', '/lljs', { name, category: 'Sales', send_days })
  for (const [nth, schedule] of rules.entries())
    await must('POST', `/lljs/${id}/lifts`, {
      title: `Lift ${nth + 1}`,
      blocks: [{ kind: 'text', markdown: 'Text.' }],
      status: 'ready',
      schedule,
    })
  await must('POST', `/lljs/${id}/members`, { user_ids: people.map((one) => one.id) })
  return id
}

type Line = { lift_id: number; due_at: Date | string | null }
const asLines = (occurrences: readonly Line[]): string =>
  occurrences
    .map(({ lift_id, due_at }) => `${lift_id}: ${due_at && new Date(due_at).toISOString()}`)
    .sort()
    .join('\n')

const showTo = async (must: Must, id: number, user: number): Promise<string> =>
  asLines((await must('GET', `/lljs/${id}/schedule/preview?user_id=${user}`)).entries)

async function readOccurrences({ db }: Scope, id: number) {
  const { rows } = await sql<Occurrence>`
    select o.lift_id, m.user_id, u.timezone as zone, o.due_at, o.state,
      to_char(o.planned_local, 'YYYY-MM-DD"T"HH24:MI') as planned, array_agg(d.next_attempt_at) as leaving
    from occurrences o join members m on m.id = o.member_id join users u on u.id = m.user_id
      left join dispatches d on d.occurrence_id = o.id
    where o.journey_id = ${id} group by o.tenant_id, o.id, m.user_id, u.timezone order by o.id`.execute(db)
  return rows
}

/** Each person gets each lift once, with one message at its time, by day, on a chosen day, and at most one a day. */
function judge(
  occurrences: readonly Occurrence[],
  people: number,
  send_days: string[],
  taken: Set<string>,
): string[] {
  const pairs = new Set(occurrences.map((occurrence) => `${occurrence.user_id} ${occurrence.lift_id}`))
  const isEachOnce = pairs.size === people * LIFTS && occurrences.length === pairs.size
  const faults = isEachOnce ? [] : [`${occurrences.length} occurrences, ${pairs.size} of them different`]
  for (const occurrence of occurrences) {
    const clock = clockOf(occurrence.zone, occurrence.due_at)
    const day = `${occurrence.user_id} ${clock.day}`
    const wrong = [
      ...clockFaults(clock, send_days),
      ...(taken.has(day) ? [`a second lift on ${clock.day}`] : []),
      ...(`${clock.day}T${clock.time}` < occurrence.planned
        ? [`before its time, ${occurrence.planned}`]
        : []),
      ...leavingFaults(occurrence),
    ]
    taken.add(day)
    if (wrong.length > 0) faults.push(`Lift ${occurrence.lift_id} in ${occurrence.zone}: ${wrong.join(', ')}`)
  }
  return faults
}

const clockFaults = ({ time, weekday }: ReturnType<typeof clockOf>, send_days: string[]): string[] => [
  ...(time >= QUIET.from || time < QUIET.to ? [`at ${time}`] : []),
  ...(send_days.includes(weekday) ? [] : [`on a ${weekday}`]),
]

function leavingFaults({ state, due_at, leaving: [at, ...more] }: Occurrence): string[] {
  const isOnce = at?.getTime() === due_at.getTime() && more.length === 0
  return [...(isOnce ? [] : [`leaving at ${at} and ${more}`]), ...(state === 'planned' ? [] : [state])]
}

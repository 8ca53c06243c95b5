/** The announced and the actual effect of edits of a running journey, in random stories. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createJourneysWorld,
  createTestCarrier,
  dateIn,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

let world: JourneysWorld
beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const STORIES = 20
const NOTHING = { moved: 0, kept: 0, cancelled: 0, added: 0 }
type Counts = typeof NOTHING
type Pair = { lift_id: number; member_id: number; due_at: Date | null; state: string }
type Edit = { lift?: number; change?: object; journey?: object }

const clock = fc.constantFrom('09:30', '12:00', '19:59', '22:30')
const ruleFrom = (...from: string[]) =>
  fc.oneof(
    fc.record({
      kind: fc.constant('absolute'),
      date: fc.integer({ min: -2, max: 6 }).map(dateIn),
      time: clock,
    }),
    fc.record({
      kind: fc.constant('offset'),
      from: fc.constantFrom(...from),
      days: fc.nat(5),
      time: fc.option(clock),
    }),
    fc.record({
      kind: fc.constant('weekly'),
      week: fc.integer({ min: 1, max: 2 }),
      weekday: fc.constantFrom('Mon', 'Thu'),
    }),
    fc.record({ kind: fc.constant('manual'), at_launch: fc.boolean() }),
  )
const rule = ruleFrom('start', 'joined', 'previous_lift_completed')
/** There is no lift before the first for which it could wait. */
const firstRule = ruleFrom('start', 'joined')
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ lift: fc.nat(2), change: rule.map((schedule) => ({ schedule })) }),
  fc.record({
    lift: fc.nat(2),
    change: fc.constantFrom(
      { status: 'draft' },
      { status: 'ready' },
      { closes_after_hours: 2 },
      { closes_after_hours: 90 },
    ),
  }),
  fc.record({
    journey: fc.constantFrom(
      { timezone_mode: 'journey', timezone: 'Asia/Tokyo' },
      { default_send_time: '15:00' },
      { send_days: ['Mon', 'Wed'] },
      { start_on: dateIn(2) },
    ),
  }),
)

const story = fc.record({
  lifts: fc.tuple(firstRule, rule, rule),
  skip_past: fc.boolean(),
  late_joiners: fc.constantFrom('skip', 'one_a_day', 'todo_only'),
  /** Events between the launch and the edits, in this order. */
  before: fc.subarray(['send', 'join', 'leave', 'send by hand', 'pause', 'resume'] as const),
  edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
})
type Story = typeof story extends fc.Arbitrary<infer One> ? One : never

it('moves, keeps, cancels and adds as many occurrences as the preview announced', {
  timeout: 300_000,
}, async () => {
  const seen = { ...NOTHING }
  for (const one of fc.sample(story, { numRuns: STORIES, seed: 11 }))
    for (const [foreseen, happened] of await play(one)) {
      expect([JSON.stringify(one), foreseen]).toEqual([JSON.stringify(one), happened])
      for (const fate of Object.keys(seen) as (keyof Counts)[]) seen[fate] += happened[fate]
    }
  // The stories are useful only if each outcome occurs.
  for (const [fate, count] of Object.entries(seen)) expect([fate, count > 2]).toEqual([fate, true])
})

async function play(one: Story): Promise<[Counts, Counts][]> {
  const journey = { name: 'Random', late_joiners: one.late_joiners }
  const [schedule, ...more] = one.lifts
  const { id, lift } = await world.draft(['uri', 'aya'], journey, { schedule })
  const lifts = [lift]
  for (const rule of more) lifts.push(await addLift(id, rule))
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { skip_past: one.skip_past })
  for (const event of one.before) await EVENTS[event](id, lift)
  const counts: [Counts, Counts][] = []
  for (const each of one.edits) counts.push(await foreseeAndDo(id, lifts, each))
  await inAcme(({ db }) => db.deleteFrom('journeys').execute())
  return counts
}

async function foreseeAndDo(id: number, lifts: number[], edit: Edit): Promise<[Counts, Counts]> {
  const target = lifts[edit.lift ?? 0] ?? 0
  const [path, change] = edit.journey ? [`/lljs/${id}`, edit.journey] : [`/lifts/${target}`, edit.change]
  const changes = edit.journey ? { journey: change } : { lifts: [{ lift_id: target, ...change }] }
  const { impact } = await world.must('adam', 'POST', `/lljs/${id}/schedule/preview`, { changes })
  const before = await pairsOf(id)
  const { lock_version } = await world.must('adam', 'GET', path)
  await world.must('adam', 'PUT', path, { ...change, lock_version })
  const concerned = impact === null ? [] : edit.journey ? lifts : [target]
  const { updated: _, ...foreseen } = impact ?? NOTHING
  return [foreseen, compare(before, await pairsOf(id), concerned)]
}

async function addLift(id: number, schedule: object): Promise<number> {
  const text = [{ kind: 'text', markdown: 'Text.' }]
  const lift = { title: 'Another', blocks: text, status: 'ready', schedule }
  return (await world.must('adam', 'POST', `/lljs/${id}/lifts`, lift)).id
}

const EVENTS: Record<Story['before'][number], (id: number, lift: number) => Promise<unknown>> = {
  async send() {
    await world.drain(createTestCarrier().carriers)
  },
  join: (id) => world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: [world.people.adam.user_id] }),
  async leave(id) {
    const { data } = await world.must('adam', 'GET', `/lljs/${id}/members`)
    await world.must('adam', 'DELETE', `/lljs/${id}/members/${data[0].id}`)
  },
  'send by hand': (_, lift) =>
    world.call('adam', 'POST', `/lifts/${lift}/send_now`, { member_ids: 'pending' }),
  pause: (id) => world.call('adam', 'POST', `/lljs/${id}/pause`, {}),
  resume: (id) => world.call('adam', 'POST', `/lljs/${id}/resume`, { mode: 'skip' }),
}

const pairsOf = async (id: number): Promise<Map<string, Pair>> => {
  const rows = await inAcme(({ db }) =>
    db.selectFrom('occurrences').selectAll().where('journey_id', '=', id).execute(),
  )
  return new Map(rows.map((row) => [`${row.lift_id} ${row.member_id}`, row]))
}

/** Counted from the rows alone; occurrences of other lifts must not change. */
function compare(before: Map<string, Pair>, after: Map<string, Pair>, concerned: number[]): Counts {
  const counts = { ...NOTHING }
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const fate = fateOf(before.get(key), after.get(key))
    const isConcerned = concerned.includes(Number(key.split(' ')[0]))
    if (!isConcerned) expect([null, 'kept']).toContain(fate)
    else if (fate) counts[fate] += 1
  }
  return counts
}

const living = (pair: Pair | undefined) => (pair?.state === 'cancelled' ? undefined : pair)

function fateOf(before: Pair | undefined, after: Pair | undefined): keyof Counts | null {
  const [was, is] = [living(before), living(after)]
  if (!is) return was ? 'cancelled' : null
  if (!was) return 'added'
  return was.due_at?.getTime() === is.due_at?.getTime() ? 'kept' : 'moved'
}

const inAcme = inAcmeOf(() => world)

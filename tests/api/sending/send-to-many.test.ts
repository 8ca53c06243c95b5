/** A lift that a person sends now, or reminds of, to more people than one request plans. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { continuePlan } from '#app/domain/planning/runs/plan-runs.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { lookAfterJourneys } from '#app/jobs/look-after-journeys.server.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'
import { zoneAt } from '#tests/api/planning/zones.ts'

const PEOPLE = 2100
/** As many as one step plans. */
const STEP = 1000
let world: JourneysWorld
let admin: pg.Client
/** These people stay for all tests: deleting them takes ten times as long as everything else. */
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  await admin.query(
    `insert into users (tenant_id, email, first_name, last_name, activation_status)
     select $1, n || '@many.example', 'Learner', n::text, 'active' from generate_series(1, ${PEOPLE}) n`,
    [world.acme],
  )
}, 60_000)
afterAll(() => world?.drop())

let journey: number
let lift: number
let members: number[]
/** A running journey with all of them, and a lift that a person sends. */
beforeEach(async () => {
  await admin.query(`update journeys set status = 'completed'`)
  await admin.query(`update users set activation_status = 'active' where activation_status = 'disabled'`)
  const made = await world.draft([], { channels: ['email'] }, { schedule: { kind: 'manual' } })
  journey = made.id
  const { rows } = await admin.query(
    `insert into members (tenant_id, journey_id, user_id, role, state)
     select tenant_id, $1, id, 'learner', 'active' from users where email like '%@many.example' returning id::int`,
    [journey],
  )
  members = rows.map((row) => row.id).sort((one, other) => one - other)
  await admin.query(
    `update journeys set status = 'active', launched_at = now() - interval '1 day' where id = $1`,
    [journey],
  )
  lift = Number((await one('select id from lifts where journey_id = $1', [journey])).id)
  await admin.query('vacuum analyze')
}, 60_000)

const one = async (text: string, values: unknown[] = []) => (await admin.query(text, values)).rows[0]
const send = (member_ids: 'pending' | number[] = 'pending', options: { key?: string } = {}) =>
  world.must('adam', 'POST', `/lifts/${lift}/send_now`, { member_ids }, options)
const planning = async () => (await world.must('adam', 'GET', `/lljs/${journey}/schedule`)).planning
/** Runs this many steps of the oldest plan; by default all steps of all plans. */
async function step(times = Number.POSITIVE_INFINITY) {
  for (let nth = 0; nth < times; nth++) {
    const plan = await one('select min(id)::int as id from journey_plans')
    if (plan.id === null) return
    await inScope(world.database.worker, systemActor(world.acme), (scope) => continuePlan(scope, plan.id))
  }
}
/** Occurrences by state, and messages of the lift by state. */
async function standing() {
  const count = async (text: string) =>
    Object.fromEntries((await admin.query(text, [lift])).rows.map(({ state, n }) => [state, n]))
  return [
    await count('select state, count(*)::int as n from occurrences where lift_id = $1 group by 1'),
    await count(`select d.state, count(*)::int as n from dispatches d join occurrences o on o.id = d.occurrence_id
      where o.lift_id = $1 and d.next_attempt_at <= now() group by 1`),
  ]
}
const fail = (some: number[]) =>
  admin.query(
    `update dispatches set state = 'failed', attempts = 1 where occurrence_id in
       (select id from occurrences where member_id = any($1))`,
    [some],
  )

it('answers before anyone is planned, reports its progress, and plans each learner once', async () => {
  expect(await send()).toEqual({ planned: PEOPLE, is_done: false })
  expect([await planning(), await standing()]).toEqual([{ people: PEOPLE, done: 0 }, [{}, {}]])
  await step(1)
  expect(await planning()).toEqual({ people: PEOPLE, done: STEP })
  await step()
  expect([await planning(), await standing()]).toEqual([null, [{ due: PEOPLE }, { planned: PEOPLE }]])
})

it('plans no learner twice if the request is repeated or one learner is chosen meanwhile', async () => {
  const key = { key: 'a press of the button' }
  expect(await send('pending', key)).toEqual(await send('pending', key))
  expect(await one('select count(*)::int as n from journey_plans')).toEqual({ n: 1 })
  await step(1)
  // A learner of the last step is sent the lift at once.
  const last = members.at(-1) ?? 0
  expect(await send([last])).toEqual({ planned: 1, is_done: true })
  expect(await send()).toEqual({ planned: PEOPLE, is_done: false })
  await step()
  expect(await standing()).toEqual([{ due: PEOPLE }, { planned: PEOPLE }])
})

it('continues after a crash and plans the remaining learners', async () => {
  await send()
  await step(1)
  await admin.query('delete from graphile_worker._private_jobs')
  const log = { info() {}, warn() {}, error() {} }
  const context = { database: world.database.worker, log } as unknown as Parameters<
    typeof lookAfterJourneys
  >[0]
  // The job that looks after journeys finishes the plan, on a busy machine in several runs.
  for (let times = 0; times < 5 && (await planning()); times++) {
    await admin.query(`update journey_plans set touched_on = now() - interval '3 minutes'`)
    await lookAfterJourneys(context)
  }
  expect(await standing()).toEqual([{ due: PEOPLE }, { planned: PEOPLE }])
})

it('skips learners who got the lift, left or were disabled, and sends again where it failed', async () => {
  const [first = 0, second = 0] = members
  const [gone = 0, disabled = 0] = members.slice(-2)
  await send([first, second])
  await admin.query(
    `update dispatches set state = 'delivered', sent_at = now() where occurrence_id in
       (select id from occurrences where lift_id = $1)`,
    [lift],
  )
  await fail([second])
  expect(await send()).toEqual({ planned: PEOPLE - 1, is_done: false })
  await step(1)
  await admin.query(`update members set state = 'withdrawn' where id = $1`, [gone])
  await admin.query(
    `update users set activation_status = 'disabled' where id = (select user_id from members where id = $1)`,
    [disabled],
  )
  await step()
  expect(await standing()).toEqual([
    { due: PEOPLE - 2 },
    // The failed message stays as it was; the new one is added.
    { delivered: 1, failed: 1, planned: PEOPLE - 3 },
  ])
})

it('holds what it plans while the journey is paused, and releases it when the journey resumes', async () => {
  await send()
  await step(1)
  await world.must('adam', 'POST', `/lljs/${journey}/pause`, {})
  await step()
  expect(await standing()).toEqual([{ held: PEOPLE }, {}])
  await world.must('adam', 'POST', `/lljs/${journey}/resume`, { mode: 'shift' })
  await step()
  expect((await standing())[0]).not.toHaveProperty('held')
})

it('plans no further learners once the journey is completed', async () => {
  await send()
  await step(1)
  await world.must('adam', 'POST', `/lljs/${journey}/complete`, {})
  await step()
  expect(await standing()).toEqual([{ cancelled: STEP }, { expired: STEP }])
})

it('plans no further learners once the lift is a draft again', async () => {
  await send()
  await step(1)
  await admin.query(`update lifts set status = 'draft' where id = $1`, [lift])
  await step()
  expect(await standing()).toEqual([{ due: STEP }, { planned: STEP }])
})

it('reminds each learner once, however often it is requested, and nobody during a pause', async () => {
  await admin.query(`update users set timezone = $1`, [zoneAt(13)])
  await admin.query(
    `insert into occurrences (tenant_id, journey_id, lift_id, member_id, state, zone, content_version)
     select tenant_id, journey_id, $1, id, 'sent', 'UTC', 1 from members where journey_id = $2`,
    [lift, journey],
  )
  const remind = () => world.must('adam', 'POST', `/lifts/${lift}/remind`)
  const reminded = () =>
    one(`select count(*)::int as messages, count(distinct occurrence_id)::int as learners from dispatches
      where kind = 'reminder'`)
  expect(await remind()).toEqual({ planned: PEOPLE, now: PEOPLE, later: 0 })
  await step(1)
  expect(await reminded()).toEqual({ messages: STEP, learners: STEP })
  expect(await remind()).toEqual({ planned: 0, now: 0, later: 0 })
  expect(await world.must('adam', 'GET', `/lifts/${lift}/remind`)).toMatchObject({ reminded: PEOPLE, now: 0 })
  await world.must('adam', 'POST', `/lljs/${journey}/pause`, {})
  await step()
  expect((await reminded()).learners).toBe(STEP)
  await world.must('adam', 'POST', `/lljs/${journey}/resume`, { mode: 'shift' })
  expect(await remind()).toMatchObject({ planned: PEOPLE - STEP })
  await admin.query(`update occurrences set state = 'responded' where member_id = $1`, [members.at(-1)])
  await step()
  expect(await reminded()).toEqual({ messages: PEOPLE - 1, learners: PEOPLE - 1 })
})

/** A launch for many people: planned after the request, some people at a time. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lookAfterJourneys } from '#app/jobs/look-after-journeys.server.ts'
import { createJourneysWorld, type JourneysWorld } from './journeys-world.ts'

let world: JourneysWorld
let admin: pg.Client
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = new pg.Client({ connectionString: world.database.adminUrl })
  await admin.connect()
})
afterAll(async () => {
  await admin?.end()
  await world?.drop()
})

const LIFTS = 45
const PEOPLE = 50
/** A draft of 45 lifts for 50 people in three zones: 2,250 turns. */
async function makeLong(more: object = {}) {
  const first = { schedule: { kind: 'offset', from: 'start', days: 0 } }
  const { id } = await world.draft([], { start_on: '2030-03-04', channels: ['email'], ...more }, first)
  await admin.query(
    `insert into lifts (tenant_id, journey_id, position, title, schedule, status, blocks)
     select $1, $2, n + 1, 'Lift ' || n + 1, jsonb_build_object('kind', 'offset', 'from', 'start', 'days', n), 'ready',
       '[{"kind":"text","markdown":"x"}]' from generate_series(1, ${LIFTS - 1}) n`,
    [world.acme, id],
  )
  return { id, people: await makePeople(id) }
}

async function makePeople(journey: number, asMembers = true): Promise<number[]> {
  const { rows } = await admin.query(
    `insert into users (tenant_id, email, first_name, last_name, timezone, activation_status)
     select $1, gen_random_uuid() || '@many.example', 'Learner', n::text,
       (array['Europe/Vienna', 'America/New_York', 'Asia/Tokyo'])[n % 3 + 1], 'active'
     from generate_series(1, ${PEOPLE}) n returning id::int`,
    [world.acme],
  )
  const ids = rows.map((row) => row.id as number)
  if (asMembers)
    await admin.query(
      `insert into members (tenant_id, journey_id, user_id, role) select $1, $2, unnest($3::bigint[]), 'learner'`,
      [world.acme, journey, ids],
    )
  return ids
}

const one = async (text: string, values: unknown[]) => (await admin.query(text, values)).rows[0]
const turnsOf = async (id: number) =>
  (await one(
    `select count(*)::int as n, count(distinct (lift_id, member_id))::int as pairs,
       (select count(*)::int from fact_occurrence where journey_id = $1) as facts,
       (select count(*)::int from dispatches d join occurrences o on o.id = d.occurrence_id where o.journey_id = $1) as messages
     from occurrences where journey_id = $1`,
    [id],
  )) as { n: number; pairs: number; facts: number; messages: number }
const planning = async (id: number) => (await world.must('adam', 'GET', `/lljs/${id}/schedule`)).planning
const told = async (people: readonly number[]) =>
  (
    await one(
      `select count(*)::int as n from notifications where user_id = any($1) and notification_type = 'launch'`,
      [people],
    )
  ).n
async function drain() {
  const workers = await world.workers()
  await workers.drain()
  await workers.stop()
}
const log = { info() {}, warn() {}, error() {} }
const lookAfter = () =>
  lookAfterJourneys({ database: world.database.worker, log } as unknown as Parameters<
    typeof lookAfterJourneys
  >[0])

describe('A launch for many', () => {
  it('answers at once, says how far it is, and plans everybody once', async () => {
    const { id, people } = await makeLong()
    const launched = await world.must('adam', 'POST', `/lljs/${id}/launch`, { expected_recipients: PEOPLE })
    expect(launched.status).toBe('scheduled')
    expect(await turnsOf(id)).toMatchObject({ n: 0 })
    expect(await planning(id)).toEqual({ people: PEOPLE, done: 0 })
    expect(await told(people)).toBe(0)
    await drain()
    const all = LIFTS * PEOPLE
    expect(await turnsOf(id)).toEqual({ n: all, pairs: all, facts: all, messages: all })
    expect(await planning(id)).toBeNull()
    expect(await told(people)).toBe(PEOPLE)
    const { lifts } = await world.must('adam', 'GET', `/lljs/${id}/schedule`)
    expect(lifts[1].counts.assigned).toBe(PEOPLE)
    expect((await world.call('adam', 'POST', `/lljs/${id}/launch`, {})).status).toBe(409)
  }, 120_000)

  it('plans what a launch for few would plan', async () => {
    const { id, people } = await makeLong()
    const preview = await world.must('adam', 'GET', `/lljs/${id}/schedule/preview?user_id=${people[7]}`)
    await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
    await drain()
    const { rows } = await admin.query(
      `select o.lift_id::int, o.due_at from occurrences o join members m on m.id = o.member_id
       where o.journey_id = $1 and m.user_id = $2 and o.due_at is not null order by o.due_at`,
      [id, people[7]],
    )
    const promised = preview.entries.filter((entry: { due_at: string | null }) => entry.due_at)
    expect(rows.map((row) => [row.lift_id, row.due_at.toISOString()])).toEqual(
      promised.map((entry: { lift_id: number; due_at: string }) => [entry.lift_id, entry.due_at]),
    )
  }, 120_000)

  it('is gone on with after a crash, from where it was', async () => {
    const { id, people } = await makeLong()
    await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
    // The process that had it is gone, and with it the job; half of the people have their plan.
    await admin.query('delete from graphile_worker._private_jobs')
    await lookAfter()
    expect(await turnsOf(id)).toMatchObject({ n: 0 })
    await admin.query(`update journey_plans set touched_on = now() - interval '3 minutes'`)
    await lookAfter()
    await drain()
    const all = LIFTS * PEOPLE
    expect(await turnsOf(id)).toMatchObject({ n: all, pairs: all })
    expect(await told(people)).toBe(PEOPLE)
  }, 120_000)

  it('holds what it plans for a journey that was paused, and plans nothing for one that is over', async () => {
    const { id } = await makeLong()
    await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
    await world.must('adam', 'POST', `/lljs/${id}/pause`)
    await drain()
    const { rows } = await admin.query('select distinct state from occurrences where journey_id = $1', [id])
    expect(rows).toEqual([{ state: 'held' }])
    const { id: other } = await makeLong()
    await world.must('adam', 'POST', `/lljs/${other}/launch`, {})
    await world.must('adam', 'POST', `/lljs/${other}/complete`)
    await drain()
    expect([await turnsOf(other), await planning(other)]).toMatchObject([{ n: 0 }, null])
  }, 120_000)
})

describe('Later', () => {
  it('plans many who join, and what an edit concerns, in the same way', async () => {
    const { id, people } = await makeLong({ late_joiners: 'skip' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
    await drain()
    const late = await makePeople(id, false)
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: late })
    expect(await planning(id)).toEqual({ people: PEOPLE, done: 0 })
    await drain()
    expect(await turnsOf(id)).toMatchObject({ n: 2 * LIFTS * PEOPLE, pairs: 2 * LIFTS * PEOPLE })
    expect([await told(late), await told(people)]).toEqual([PEOPLE, PEOPLE])

    // As after a while: Postgres knows how much there is.
    await admin.query('analyze')
    const { lock_version } = await world.must('adam', 'GET', `/lljs/${id}`)
    await world.must('adam', 'PUT', `/lljs/${id}`, { lock_version, start_on: '2031-06-02' })
    expect(await planning(id)).toEqual({ people: 2 * PEOPLE, done: 0 })
    await drain()
    const { first } = await one('select min(due_at) as first from occurrences where journey_id = $1', [id])
    expect(first.toISOString()).toMatch(/^2031-06-0[23]/)
    expect(await turnsOf(id)).toMatchObject({ n: 2 * LIFTS * PEOPLE })
    // Nobody is told twice that they take part.
    expect(await told(people)).toBe(PEOPLE)
  }, 180_000)
})

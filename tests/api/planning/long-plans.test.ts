/** A journey of many learners is planned after the request, in steps. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { continuePlan } from '#app/domain/planning/runs/plan-runs.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { beginSending } from '#app/domain/sending/begin-sending.server.ts'
import { claimDispatches } from '#app/domain/sending/claims.server.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { lookAfterJourneys } from '#app/jobs/look-after-journeys.server.ts'
import { createPulse } from '#app/jobs/pulse.server.ts'
import { createSender } from '#app/jobs/sending/sender.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'

let world: JourneysWorld
let admin: pg.Client
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  // As in the first seconds after a launch: PostgreSQL has no statistics of the grown tables yet.
  await admin.query(`do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('alter table %I set (autovacuum_enabled = false)', name);
    end loop;
  end $$`)
})
afterAll(() => world?.drop())

const DAY = 86_400_000
const LIFTS = 45
const PEOPLE = 50
/** A draft of 45 lifts for 50 people in three zones: 2,250 occurrences. */
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
const occurrencesOf = async (id: number) =>
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
const log = { info() {}, warn() {}, error() {} }
const lookAfter = () =>
  lookAfterJourneys({ database: world.database.worker, log } as unknown as Parameters<
    typeof lookAfterJourneys
  >[0])

describe('A launch for many learners', () => {
  it('answers at once, reports its progress, and plans each lift once for each learner', async () => {
    const { id, people } = await makeLong()
    const launched = await world.must('adam', 'POST', `/lljs/${id}/launch`, {
      send_now: true,
      expected_recipients: PEOPLE,
    })
    expect(launched.status).toBe('scheduled')
    expect(await occurrencesOf(id)).toMatchObject({ n: 0 })
    expect(await planning(id)).toEqual({ people: PEOPLE, done: 0 })
    expect(await told(people)).toBe(0)
    await world.drain()
    const all = LIFTS * PEOPLE
    expect(await occurrencesOf(id)).toEqual({ n: all, pairs: all, facts: all, messages: all })
    expect(await planning(id)).toBeNull()
    expect(await told(people)).toBe(PEOPLE)
    const { lifts } = await world.must('adam', 'GET', `/lljs/${id}/schedule`)
    expect(lifts[1].counts.assigned).toBe(PEOPLE)
    expect((await world.call('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })).status).toBe(409)
  }, 120_000)

  it('plans the dates that the preview shows', async () => {
    const { id, people } = await makeLong()
    const preview = await world.must('adam', 'GET', `/lljs/${id}/schedule/preview?user_id=${people[7]}`)
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.drain()
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

  it('plans each lift once if the process with its job dies halfway', async () => {
    const { id, people } = await makeLong()
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await step(1)
    const { done } = await planning(id)
    expect([done > 0, done < PEOPLE]).toEqual([true, true])
    // The process with the job has died.
    await admin.query('delete from graphile_worker._private_jobs')
    await lookAfter()
    expect(await occurrencesOf(id)).toMatchObject({ n: done * LIFTS })
    await admin.query(`update journey_plans set touched_on = now() - interval '3 minutes'`)
    await lookAfter()
    await world.drain()
    const all = LIFTS * PEOPLE
    expect(await occurrencesOf(id)).toMatchObject({ n: all, pairs: all })
    expect(await told(people)).toBe(PEOPLE)
  }, 120_000)

  it('holds what it plans if the journey is paused, and plans nothing if it is completed', async () => {
    const { id } = await makeLong()
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.must('adam', 'POST', `/lljs/${id}/pause`)
    await world.drain()
    const { rows } = await admin.query('select distinct state from occurrences where journey_id = $1', [id])
    expect(rows).toEqual([{ state: 'held' }])
    const { id: other } = await makeLong()
    await world.must('adam', 'POST', `/lljs/${other}/launch`, { send_now: true })
    await world.must('adam', 'POST', `/lljs/${other}/complete`)
    await world.drain()
    expect([await occurrencesOf(other), await planning(other)]).toMatchObject([{ n: 0 }, null])
  }, 120_000)
})

describe('A launched journey', () => {
  it('plans many late joiners in a job, and everyone again after its start date is edited', async () => {
    const { id, people } = await makeLong({ late_joiners: 'skip' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
    await world.drain()
    const late = await makePeople(id, false)
    await world.must('adam', 'POST', `/lljs/${id}/members`, { user_ids: late })
    expect(await planning(id)).toEqual({ people: PEOPLE, done: 0 })
    await world.drain()
    expect(await occurrencesOf(id)).toMatchObject({ n: 2 * LIFTS * PEOPLE, pairs: 2 * LIFTS * PEOPLE })
    expect([await told(late), await told(people)]).toEqual([PEOPLE, PEOPLE])

    // Now PostgreSQL has statistics, as it would some time after the launch.
    await admin.query('analyze')
    const { lock_version } = await world.must('adam', 'GET', `/lljs/${id}`)
    await world.must('adam', 'PUT', `/lljs/${id}`, { lock_version, start_on: '2031-06-02' })
    expect(await planning(id)).toEqual({ people: 2 * PEOPLE, done: 0 })
    await world.drain()
    const { first } = await one('select min(due_at) as first from occurrences where journey_id = $1', [id])
    expect(first.toISOString()).toMatch(/^2031-06-0[23]/)
    expect(await occurrencesOf(id)).toMatchObject({ n: 2 * LIFTS * PEOPLE })
    // Nobody is notified of the journey twice.
    expect(await told(people)).toBe(PEOPLE)
  }, 180_000)
})

const statesOf = async (id: number): Promise<Record<string, number>> => {
  const { rows } = await admin.query(
    'select state, count(*)::int as n from occurrences where journey_id = $1 group by 1',
    [id],
  )
  return Object.fromEntries(rows.map((row) => [row.state, row.n]))
}
const all = LIFTS * PEOPLE

async function running(more: object = {}) {
  const made = await makeLong(more)
  await world.must('adam', 'POST', `/lljs/${made.id}/launch`, { send_now: true })
  await world.drain()
  return made
}
/** Makes every learner's first message due now. */
const firstAreDue = (id: number) =>
  admin.query(
    `with first as (update occurrences o set due_at = now() - interval '1 minute' from lifts l
       where l.id = o.lift_id and l.position = 1 and o.journey_id = $1 returning o.id)
     update dispatches set due_at = now() - interval '1 minute', next_attempt_at = now() - interval '1 minute'
     where occurrence_id in (select id from first)`,
    [id],
  )
/** Runs the sender alone, without the planner. */
async function sendOnly() {
  const { carriers, taken } = createTestCarrier()
  const context = {
    database: world.database.worker,
    origin: 'https://learn.example',
    carriers,
    log,
    pulse: createPulse(),
  }
  const sender = createSender({ ...context, isIdle: true } as unknown as JobContext)
  await sender.drain()
  await sender.stop()
  return taken
}
/** Runs this many steps of the only plan. */
async function step(times: number) {
  const { id } = await one('select min(id)::int as id from journey_plans', [])
  for (let nth = 0; nth < times; nth++)
    await inScope(world.database.worker, systemActor(world.acme), (scope) => continuePlan(scope, id))
}

describe('A large journey', () => {
  // No due messages or dead rows of other tests are left.
  beforeEach(async () => {
    await admin.query('delete from journeys')
    await admin.query('vacuum')
  })

  it('pauses at once, and on resume shifts its lifts by the length of the pause', async () => {
    const { id } = await running()
    const due = () =>
      admin.query('select lift_id, member_id, due_at from occurrences where journey_id = $1', [id])
    const before = new Map((await due()).rows.map((row) => [`${row.lift_id} ${row.member_id}`, row.due_at]))
    await firstAreDue(id)
    expect((await world.must('adam', 'POST', `/lljs/${id}/pause`, {})).status).toBe('paused')
    expect(await planning(id)).toEqual({ people: PEOPLE, done: 0 })
    expect(await sendOnly()).toEqual([])
    await step(1)
    expect((await statesOf(id)).held).toBeGreaterThan(0)
    expect((await statesOf(id)).held).toBeLessThan(all)
    // It is resumed before all occurrences are held.
    await admin.query(`update journeys set paused_at = now() - interval '3 days' where id = $1`, [id])
    await admin.query(`update occurrences set planned_on = now() - interval '9 days' where journey_id = $1`, [
      id,
    ])
    const resumed = await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'shift' })
    expect(['scheduled', 'active']).toContain(resumed.status)
    expect(await sendOnly()).toEqual([])
    await world.drain()
    expect(await planning(id)).toBeNull()
    const states = await statesOf(id)
    expect([states.held ?? 0, await occurrencesOf(id)]).toMatchObject([0, { n: all, pairs: all }])
    const gaps = (await due()).rows.flatMap((row) => {
      const was = before.get(`${row.lift_id} ${row.member_id}`) as Date
      return row.due_at && was > new Date('2030-03-06') ? [(row.due_at.getTime() - was.getTime()) / DAY] : []
    })
    expect(gaps.length).toBeGreaterThan(all / 2)
    expect([Math.round(Math.min(...gaps)), Math.round(Math.max(...gaps))]).toEqual([3, 3])
  }, 180_000)

  it('cancels the lifts that fell into a pause if it resumes with “skip”', async () => {
    const { id } = await running()
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    await world.drain()
    expect(await statesOf(id)).toEqual({ held: all })
    await firstAreDue(id)
    await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'skip' })
    await world.drain()
    expect(await statesOf(id)).toEqual({ planned: all - PEOPLE, cancelled: PEOPLE })
  }, 180_000)

  it.each(['complete', 'archive'] as const)(
    'sends nothing once the request to %s it is answered',
    async (what) => {
      const { id, people } = await running()
      if (what === 'archive') await admin.query(`update journeys set status = 'paused' where id = $1`, [id])
      await firstAreDue(id)
      const { status } = await world.must('adam', 'POST', `/lljs/${id}/${what}`, {})
      expect(status).toBe(what === 'complete' ? 'completed' : 'archived')
      expect(await statesOf(id)).not.toHaveProperty('cancelled')
      expect(await sendOnly()).toEqual([])
      await step(1)
      // The process with the job has died.
      await admin.query('delete from graphile_worker._private_jobs')
      await admin.query(`update journey_plans set touched_on = now() - interval '3 minutes'`)
      await lookAfter()
      await world.drain()
      expect([await statesOf(id), await planning(id)]).toEqual([{ cancelled: all }, null])
      const { n } = await one(
        `select count(*)::int as n from notifications where user_id = any($1) and notification_type = 'success'`,
        [people],
      )
      expect(n).toBe(what === 'complete' ? PEOPLE : 0)
      expect((await world.must('adam', 'GET', `/lljs/${id}/schedule`)).lifts[0].counts.assigned).toBe(0)
    },
    180_000,
  )

  it('sends nothing at the old time to learners who are not yet replanned after an edit', async () => {
    const { id } = await running()
    await firstAreDue(id)
    const { lock_version } = await world.must('adam', 'GET', `/lljs/${id}`)
    await world.must('adam', 'PUT', `/lljs/${id}`, { lock_version, start_on: '2031-06-02' })
    await step(1)
    const { after } = await one('select after_member::int as after from journey_plans', [])
    expect(after).toBeGreaterThan(0)
    await admin.query(
      `update dispatches set next_attempt_at = now() where next_attempt_at < now() + interval '1 hour'`,
    )
    expect(await sendOnly()).toEqual([])
    await world.drain()
    expect(await sendOnly()).toEqual([])
    const { first } = await one('select min(due_at) as first from occurrences where journey_id = $1', [id])
    expect(first.toISOString()).toMatch(/^2031-06-0[23]/)
  }, 180_000)

  it('does not send messages that were claimed but not begun before an edit', async () => {
    const { id } = await running()
    await firstAreDue(id)
    const claims = await claimDispatches(world.database.worker, 'slow', { channel: 'email', limit: 20 })
    expect(claims).toHaveLength(20)
    const { lock_version } = await world.must('adam', 'GET', `/lljs/${id}`)
    await world.must('adam', 'PUT', `/lljs/${id}`, { lock_version, start_on: '2031-06-02' })
    await world.drain()
    const begun = await Promise.all(
      claims.map((claim) =>
        inScope(world.database.worker, systemActor(world.acme), (scope) =>
          beginSending(scope, [claim.id], 'slow', { origin: 'https://learn.example' }),
        ),
      ),
    )
    expect(begun.filter(({ messages }) => messages.size > 0)).toEqual([])
    const { first } = await one('select min(due_at) as first from occurrences where journey_id = $1', [id])
    expect(first.toISOString()).toMatch(/^2031-06-0[23]/)
  }, 180_000)

  it('notifies its learners in a job if it is completed after its only lift was deleted', async () => {
    const { id, lift } = await world.draft(['uri'], { start_on: '2031-03-04', name: 'Empty' })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
    const many = Array.from({ length: 41 }, () => makePeople(id))
    await Promise.all(many)
    await world.must('adam', 'DELETE', `/lifts/${lift}`)
    await world.must('adam', 'POST', `/lljs/${id}/complete`, {})
    expect(await planning(id)).toEqual({ people: 41 * PEOPLE + 1, done: 0 })
    await world.drain()
    const { data } = await world.must('uri', 'GET', '/notifications?limit=1')
    expect(data[0].content).toMatchObject({ title: 'Empty', path: `/lljs/${id}/learner` })
  }, 180_000)

  it('carries out pauses and resumes in the order of the requests', async () => {
    const { id } = await running()
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    await world.must('adam', 'POST', `/lljs/${id}/resume`, { mode: 'shift' })
    await world.must('adam', 'POST', `/lljs/${id}/pause`, {})
    const { rows } = await admin.query(
      'select id::int from journey_plans where journey_id = $1 order by id',
      [id],
    )
    expect(rows).toHaveLength(3)
    // Taken up in reverse order, only the first plan can begin.
    for (const plan of rows.reverse())
      expect(
        await inScope(world.database.worker, systemActor(world.acme), (scope) =>
          continuePlan(scope, plan.id),
        ),
      ).toBe(plan === rows.at(-1))
    await world.drain()
    expect(await statesOf(id)).toEqual({ held: all })
  }, 180_000)
})

/** After a restore, nothing is sent by itself that may have been sent since the backup. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { recordDelivery } from '#app/domain/sending/delivery-reports.server.ts'
import { tenantsWithDue } from '#app/domain/sending/hold-missed.server.ts'
import { briefSponsors } from '#app/jobs/brief-sponsors.server.ts'
import { settleRestored } from '#app/jobs/sending/settle-restored.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { nextMonday, zoneAt } from '#tests/api/planning/zones.ts'

let world: JourneysWorld
let admin: pg.Client
const log = { info() {}, warn() {}, error: (fields: object) => expect(fields).toBe('nothing wrong') }
const carrier = createTestCarrier()

beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  await admin.query('update users set timezone = $1', [zoneAt(13)])
  // The first workers install the queue.
  await drain()
})
afterAll(() => world?.drop())
beforeEach(() => {
  carrier.taken.length = 0
})

const drain = () => world.drain(carrier.carriers)
const settle = (at?: Date) => settleRestored(world.database, log, at)

it('holds the lifts that came due since a backup until a person sends them, and tells that person', async () => {
  const journey = await world.draft(['uri', 'aya'], { name: 'Restored' })
  await world.must('adam', 'POST', `/lljs/${journey.id}/launch`, { send_now: true })
  expect(await tenantsWithDue(world.database.worker)).toHaveLength(1)
  expect(await settle()).toEqual({ held: 2, dropped: 0 })
  expect(await tenantsWithDue(world.database.worker)).toEqual([])
  const { data: told } = await world.must('adam', 'GET', '/notifications')
  expect(told[0].content).toEqual({
    title: 'Restored',
    message:
      'Messages of “Listen first” may have been sent already, before a backup was restored. They wait until you send the lift now.',
    path: `/lljs/${journey.id}/lifts/${journey.lift}/send`,
  })

  await drain()
  expect(carrier.taken).toEqual([])

  const { lifts } = (await world.must('adam', 'GET', `/lljs/${journey.id}/schedule`)) as {
    lifts: { id: number; held: number }[]
  }
  expect(lifts.map((lift) => lift.held)).toEqual([2])
  const still = () => world.must('adam', 'GET', `/lifts/${lifts[0]?.id}/send_now`)
  expect(await still()).toMatchObject({
    people: 2,
    held: 2,
    restored: 2,
    total: 2,
    by_channel: { sms: 0, email: 2 },
  })
  await world.must('adam', 'POST', `/lljs/${journey.id}/pause`, {})
  await world.must('adam', 'POST', `/lljs/${journey.id}/resume`, { mode: 'shift' })
  await drain()
  expect([carrier.taken, (await still()).restored]).toEqual([[], 2])
  const { data } = await world.must('adam', 'GET', `/lifts/${lifts[0]?.id}/send_now?q=aya`)
  expect(data).toMatchObject([{ email: world.people.aya.email, is_held: true }])
  await world.must('adam', 'POST', `/lifts/${lifts[0]?.id}/send_now`, { member_ids: 'pending' })
  await drain()
  expect(await still()).toMatchObject({ people: 0, held: 0, restored: 0, data: [] })
  expect(carrier.taken.map((one) => one.to).sort()).toEqual(
    [world.people.aya.email, world.people.uri.email].sort(),
  )
})

it('takes no report on a message that was lost with the restore for one on a message that waits', async () => {
  const { rows } = await admin.query(`select nextval('dispatches_id_seq')::int as last`)
  await settle()
  const { id } = await world.draft(['uri', 'aya'], { name: 'Launched again' })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  const told = { provider_id: 'lost', delivered: true, code: null }
  for (const nth of [1, 2])
    await inScope(world.database.worker, systemActor(world.acme), (scope) =>
      recordDelivery(scope, `${world.acme}:${rows[0].last + nth}`, told),
    )
  await drain()
  expect(carrier.taken.map(({ to }) => to).sort()).toEqual(
    [world.people.aya.email, world.people.uri.email].sort(),
  )
})

it('gives nothing new a number by which links, replies and record stores may name something lost', async () => {
  const nextOf = async (table: string) =>
    Number((await admin.query(`select nextval($1)`, [`${table}_id_seq`])).rows[0].nextval)
  const tables = ['users', 'journeys', 'lifts', 'prompts', 'members', 'occurrences']
  const before = await Promise.all(tables.map(nextOf))
  await settle()
  const after = await Promise.all(tables.map(nextOf))
  expect(tables.filter((_, at) => Number(after[at]) < Number(before[at]) + 1_000_000)).toEqual([])
})

it.each([
  [
    'was running',
    2001,
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead', attempts = 1`,
  ],
  [
    'had failed for good',
    2001,
    `with gone as (delete from graphile_worker._private_jobs)
      update journey_plans set touched_on = now() - interval '3 minutes'`,
  ],
])('holds also what a launch had not planned yet, whose job %s', async (_how, people, before) => {
  const { id } = await world.draft([], { name: 'Many' })
  await admin.query(
    `with made as (insert into users (tenant_id, email, first_name, timezone, activation_status)
       select $1, 'many-' || $2::bigint || '-' || n || '@many.example', 'Many', $3, 'active' from generate_series(1, $4::int) n returning id)
     insert into members (tenant_id, journey_id, user_id, role) select $1, $2::bigint, id, 'learner' from made`,
    [world.acme, id, zoneAt(13), people],
  )
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  await admin.query(before)
  expect(await settle()).toEqual({ held: people, dropped: 0 })
  await drain()
  expect(carrier.taken).toEqual([])
})

it('drops the other messages about journeys that were due, and keeps those that come later', async () => {
  const atLaunch = { schedule: { kind: 'manual', at_launch: true } }
  const { id } = await world.draft(['uri', 'nora', 'adam'], { channels: ['email'] }, atLaunch)
  const { data } = (await world.must('adam', 'GET', `/lljs/${id}/members`)) as { data: { id: number }[] }
  await world.must('adam', 'PATCH', `/lljs/${id}/members`, {
    ...{ member_ids: data.map((one) => one.id), sponsor_user_id: world.people.aya.user_id },
  })
  await world.must('adam', 'POST', `/lljs/${id}/launch`, { send_now: true })
  await drain()
  carrier.taken.length = 0
  const { uri, nora } = world.people
  const encourage = ({ user_id }: { user_id: number }) =>
    world.must('aya', 'POST', `/lljs/${id}/encouragements`, { user_id, text: 'Keep going' })
  await encourage(uri)
  await admin.query(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour'`)
  await encourage(nora)
  await admin.query(`update occurrences set due_at = now() - interval '9 days', state = 'opened'
    where journey_id = ${id}`)
  const monday = nextMonday(zoneAt(13))
  expect(await settle(monday)).toEqual({ held: 0, dropped: 2 })
  await briefSponsors({ database: world.database.worker, log }, {}, monday)
  await drain()
  expect(carrier.taken).toEqual([])

  await admin.query('update graphile_worker._private_jobs set run_at = now()')
  await drain()
  expect(carrier.taken.map(({ to }) => to)).toEqual([uri.email])
})

/** The clock of the testing tenant: the effects of setting it forward, and that no other tenant's clock moves. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addJobs } from '#app/db/queue.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'
import { inAcmeOf } from '#tests/support/in-acme.ts'

const DAY = 86_400_000
const { carriers, taken } = createTestCarrier()
let world: JourneysWorld

beforeAll(async () => {
  world = await createJourneysWorld()
})
afterAll(() => world?.drop())

const clock = () => world.must('adam', 'GET', '/testing/clock')
const move = (by: string, version: number) => world.call('adam', 'POST', '/testing/clock', { by, version })
const inAcme = inAcmeOf(() => world)

/** Runs the workers until the clock has arrived. */
async function arrive(): Promise<void> {
  const workers = await world.workers(carriers)
  for (let turn = 0; turn < 20; turn++) {
    await workers.drain()
    if ((await clock()).move === null) return workers.stop()
  }
  throw new Error('The clock does not arrive.')
}

const journeyFor = (days: number, more: object = {}) =>
  world.draft(
    ['uri'],
    { name: `In ${days} days`, channels: ['email'], start_on: dayIn(days), ...more },
    {
      schedule: { kind: 'offset', from: 'start', days: 0, time: '12:00' },
    },
  )
const dayIn = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

describe('The clock of a tenant other than the testing tenant', () => {
  it('cannot be read or moved', async () => {
    expect((await world.call('adam', 'GET', '/testing/clock')).status).toBe(404)
    expect((await move('day', 0)).status).toBe(404)
    expect((await world.call('uri', 'GET', '/testing/clock')).status).toBe(403)
    await expect(inAcme(({ db }) => sql`update tenants set clock_ahead_ms = 1`.execute(db))).rejects.toThrow(
      'tenants_clock_of_testing',
    )
  })
})

describe('The clock of the testing tenant', () => {
  beforeAll(async () => {
    await inAcme(({ db }) => sql`update tenants set is_testing = true`.execute(db))
  })

  it('moves to the next message once, however often the form is sent', async () => {
    const { id } = await journeyFor(5, { reminder_policy: [{ after_hours: 24, channel: 'email' }] })
    await world.must('adam', 'POST', `/lljs/${id}/launch`, {})
    const before = await clock()
    expect(before).toMatchObject({ ahead_ms: 0, version: 0, move: null })
    const answers = await Promise.all([move('next_message', 0), move('next_message', 0)])
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    expect(answers.map(({ json }) => json.version)).toEqual([1, 1])
    await arrive()
    expect(taken).toHaveLength(1)
    const after = await clock()
    expect(Date.parse(after.now)).toBeGreaterThanOrEqual(Date.parse(before.next_message_at))
    expect(Date.parse(after.now)).toBeLessThan(Date.parse(before.next_message_at) + 60_000)
    // A late request with the version of an earlier clock.
    expect((await move('week', 0)).json).toMatchObject({ version: 1, move: null })
  }, 60_000)

  it('sends reminders outside quiet hours and completes the journey as it moves forward', async () => {
    const { version } = await clock()
    await move('week', version)
    await arrive()
    expect(taken).toHaveLength(2)
    const rows = await inAcme(({ db }) =>
      sql<{ kind: string; hour: number; waited: number }>`
        select d.kind, extract(hour from d.sent_at at time zone coalesce(u.timezone, t.timezone))::int as hour,
          extract(epoch from d.sent_at - d.due_at)::float8 as waited
        from dispatches d join occurrences o on o.id = d.occurrence_id join members m on m.id = o.member_id
          join users u on u.id = m.user_id join tenants t on t.id = d.tenant_id order by d.sent_at`.execute(
        db,
      ),
    )
    expect(rows.rows.map(({ kind }) => kind)).toEqual(['lift', 'reminder'])
    for (const { hour, waited } of rows.rows) {
      expect(hour).toBeGreaterThanOrEqual(9)
      expect(hour).toBeLessThan(20)
      expect(Math.abs(waited)).toBeLessThan(60)
    }
    await move('week', version + 1)
    await arrive()
    await move('week', version + 2)
    await arrive()
    expect(await world.must('adam', 'GET', '/lljs')).toMatchObject({ data: [{ status: 'completed' }] })
    expect(taken.filter(({ subject }) => subject.includes('Listen first'))).toHaveLength(2)
  }, 120_000)

  it('moves without waiting for other tenants’ jobs in the queue', async () => {
    const slow = createTestCarrier(() => new Promise((done) => setTimeout(done, 100)))
    const invite = (tenant: string, count: number) =>
      inScope(world.database.worker, systemActor(tenant), async ({ db }) => {
        const { rows } = await sql<{ id: number }>`
          insert into users (tenant_id, email, first_name, last_name)
          select ${tenant}, 'queued-' || n || '-' || ${tenant}, 'Queued', '' from generate_series(1, ${count}::int) n
          returning id`.execute(db)
        const jobs = rows.map(({ id }) => ({ payload: { user_id: id }, key: `invite-user:${id}` }))
        await addJobs(db, 'invite-user', jobs, { carrier: 'email' })
      })
    await invite(world.acme, 6)
    await invite(world.globex, 80)
    await move('hour', (await clock()).version)
    const workers = await world.workers(slow.carriers, { isIdle: false })
    await expect.poll(async () => (await clock()).move, { timeout: 15_000 }).toBeNull()
    const waiting = 86 - slow.taken.length
    await workers.stop()
    expect(waiting).toBeGreaterThan(20)
  }, 60_000)

  it('does not move the clock of another tenant', async () => {
    const { rows } = await sql<{ acme: Date; other: Date; now: Date }>`
      select tenant_now(${world.acme}) as acme, tenant_now(${world.globex}) as other, now()`.execute(
      world.database.worker,
    )
    const [shown] = rows
    expect(shown?.other).toEqual(shown?.now)
    expect(Number(shown?.acme) - Number(shown?.now)).toBeGreaterThan(25 * DAY)
  })
})

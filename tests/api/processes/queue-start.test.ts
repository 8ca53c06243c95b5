/** A queue that starts while connections fail tries again. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, parseCrontab } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addJob, installQueue } from '#app/db/queue.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { keepQueue } from '#app/jobs/keep-queue.server.ts'
import { createPulse } from '#app/jobs/pulse.server.ts'
import { TIMETABLE } from '#app/jobs/sending/queues.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

it('runs jobs even if it got no connection at first', async () => {
  const done: unknown[] = []
  // The only connection listens, so none is left to fetch jobs.
  const pool = new pg.Pool({ connectionString: database.workerUrl, max: 1, connectionTimeoutMillis: 200 })
  pool.on('error', () => {})
  const pulse = createPulse(1_000)
  const queue = await keepQueue({
    options: {
      pgPool: pool,
      taskList: { 'invite-user': async (payload) => void done.push(payload) },
      ...{ concurrency: 2, pollInterval: 100, noHandleSignals: true, logger: new Logger(() => () => {}) },
    },
    log: { info() {}, warn() {}, error() {} },
    pulse,
    onStart() {},
  })
  try {
    await sleep(2_500)
    expect(pulse.stalled()).toEqual(['queue'])
    pool.options.max = 4
    const tenant_id = randomUUID()
    await inScope(database.app, systemActor(tenant_id), ({ db }) =>
      addJob(db, 'invite-user', { tenant_id, user_id: 1, nonce: randomUUID() }),
    )
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(1)
    expect(pulse.stalled()).toEqual([])
  } finally {
    await queue.stop()
    await pool.end()
  }
}, 60_000)

it('can be installed again while another connection uses its tables, and still takes jobs', async () => {
  const busy = new pg.Client({ connectionString: database.ownerUrl })
  await busy.connect()
  try {
    await busy.query('begin')
    await busy.query('select from graphile_worker._private_jobs')
    const owner = new URL(database.ownerUrl)
    owner.searchParams.set('options', '-c lock_timeout=1s')
    await installQueue(owner.href)
  } finally {
    await busy.end()
  }
  const tenant_id = randomUUID()
  await inScope(database.app, systemActor(tenant_id), ({ db }) =>
    addJob(db, 'invite-user', { tenant_id, user_id: 1, nonce: randomUUID() }),
  )
  const { rows } = await sql`select from graphile_worker._private_jobs`.execute(database.worker)
  expect(rows).toHaveLength(1)
})

it('queues a periodic job once, however often its time was missed', async () => {
  const items = parseCrontab(TIMETABLE)
  expect(items.length).toBeGreaterThan(5)
  for (const { task, options } of items)
    expect(options).toMatchObject({ jobKey: task, jobKeyMode: 'replace' })
})

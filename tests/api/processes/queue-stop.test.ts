/** A queue that is stopped while the database does not answer leaves no unhandled rejection. */
import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { run, type WorkerEvents } from 'graphile-worker'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openJobsPool } from '#app/jobs/jobs-pool.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { startDatabaseProxy } from '#tests/support/tcp-proxy.ts'

let database: TestDatabase
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>
beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await startDatabaseProxy(database.workerUrl)
})
afterAll(async () => {
  await proxy?.close()
  await database?.drop()
})

it('leaves no unhandled rejection if it is stopped while LISTEN is unanswered', async () => {
  const pool = openJobsPool(proxy.through(database.workerUrl))
  const unawaited: unknown[] = []
  const keep = (reason: unknown) => unawaited.push(reason)
  process.on('unhandledRejection', keep)
  const events: WorkerEvents = new EventEmitter()
  const listening = once(events, 'pool:listen:success')
  events.once('pool:listen:success', proxy.blackhole)
  const runner = await run({ pgPool: pool, taskList: {}, events, noHandleSignals: true })
  await listening
  const stopped = runner.stop()
  proxy.reset()
  await stopped.catch(() => {})
  await proxy.pass()
  await sleep(100)
  process.off('unhandledRejection', keep)
  await pool.end()
  expect(unawaited).toEqual([])
})

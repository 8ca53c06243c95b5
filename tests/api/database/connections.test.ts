/** Database work whose connection breaks, falls silent, or waits too long. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { SILENT_MS } from '#app/db/client.server.ts'
import { openPool, type PoolOptions } from '#app/db/pool.server.ts'
import { isOutage } from '#app/integrations/outage.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { startDatabaseProxy } from '#tests/support/tcp-proxy.ts'

const LONGEST_WAIT_MS = 10_000

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end()
})

/** A pool that reaches the database through our proxy. */
async function proxied(options: PoolOptions = {}) {
  const proxy = await startDatabaseProxy(database.appUrl)
  const pool = openPool(proxy.through(database.appUrl), options)
  cleanUp.push(async () => {
    await proxy.close()
    await pool.end()
  })
  return { proxy, pool }
}

/** The result or error, and how long it took. */
async function outcome(work: Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const began = performance.now()
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  return { error, ms: performance.now() - began }
}

async function expectOutage(work: Promise<unknown>): Promise<void> {
  const { error, ms } = await outcome(work)
  expect(isOutage(error), String(error)).toBe(true)
  expect(ms).toBeLessThan(LONGEST_WAIT_MS)
}

const processId = async (client: pg.ClientBase): Promise<number> =>
  (await client.query('select pg_backend_pid() as pid')).rows[0].pid

const asAdmin = openPoolOf(() => database.adminUrl)
function openPoolOf(url: () => string) {
  return async (text: string, values?: unknown[]) => {
    const pool = openPool(url(), { max: 1 })
    try {
      return (await pool.query(text, values)).rows
    } finally {
      await pool.end()
    }
  }
}

const isThere = async (pid: number): Promise<boolean> =>
  (await asAdmin('select from pg_stat_activity where pid = $1', [pid])).length > 0

describe('A connection that breaks', () => {
  it.each(['terminated', 'reset'])('between two queries does not end the process: %s', async (how) => {
    const uncaught = vi.fn()
    process.prependListener('uncaughtException', uncaught)
    cleanUp.push(async () => process.off('uncaughtException', uncaught))
    const { proxy, pool } = await proxied()
    const client = await pool.connect()
    await client.query('begin')
    if (how === 'reset') proxy.reset()
    else await asAdmin('select pg_terminate_backend($1)', [await processId(client)])
    await sleep(100)
    await expectOutage(client.query('select 1'))
    client.release()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(uncaught).not.toHaveBeenCalled()
  })

  it('fails its running query with an error that counts as an outage', async () => {
    const { proxy, pool } = await proxied()
    const asking = expectOutage(pool.query('select pg_sleep(5)'))
    await sleep(200)
    proxy.reset()
    await asking
  })

  it('causes an outage while the server refuses it, and works once the server accepts it', async () => {
    const { proxy, pool } = await proxied()
    await proxy.refuse()
    await expectOutage(pool.query('select 1'))
    await proxy.pass()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})

describe('A connection that falls silent', () => {
  it('is given up, and its session on the server ends', async () => {
    const { proxy, pool } = await proxied()
    const client = await pool.connect()
    const pid = await processId(client)
    await client.query('begin')
    proxy.freeze()
    await expectOutage(client.query('select 1'))
    await expectOutage(client.query('rollback'))
    client.release()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await expect.poll(() => isThere(pid)).toBe(false)
  })

  it('is given up even after it was idle for a while', async () => {
    const { proxy, pool } = await proxied()
    const client = await pool.connect()
    await sleep(5_000)
    await client.query('begin')
    proxy.freeze()
    await expectOutage(client.query('select 1'))
    client.release()
  })

  it('is given up even after a long query on it succeeded', async () => {
    const { proxy, pool } = await proxied()
    const client = await pool.connect()
    await client.query('select pg_sleep(5)')
    proxy.freeze()
    await expectOutage(client.query('select 1'))
    client.release()
  })

  it('makes the pool give up other silent connections without waiting for each', async () => {
    const { proxy, pool } = await proxied()
    const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
    for (const client of clients) client.release()
    proxy.freeze()
    await expectOutage(pool.query('select 1'))
    const { ms } = await outcome(Promise.all([1, 2, 3].map(() => pool.query('select 1'))))
    // Waiting for another silent connection would take as long again.
    expect(ms).toBeLessThan(SILENT_MS)
  })

  it('is given up even if the server answers no new connection', async () => {
    const { proxy, pool } = await proxied()
    await pool.query('select 1')
    proxy.blackhole()
    await expectOutage(pool.query('select 1'))
    await expectOutage(pool.query('select 1'))
    await proxy.pass()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('is kept while the server works on the answer', async () => {
    const { pool } = await proxied()
    const { rows } = await pool.query('select pg_sleep(6)::text as slept')
    expect(rows).toEqual([{ slept: '' }])
  })

  it('is kept while it is idle', async () => {
    const { pool } = await proxied()
    const client = await pool.connect()
    const pid = await processId(client)
    await sleep(5_000)
    expect(await processId(client)).toBe(pid)
    client.release()
  })
})

describe('A statement', () => {
  it('is canceled after its timeout', async () => {
    const { pool } = await proxied({ statement_timeout: 300 })
    const { error } = await outcome(pool.query('select pg_sleep(3)'))
    expect(error).toMatchObject({ code: '57014' })
    expect(isOutage(error)).toBe(true)
  })

  it('fails when it waits too long for a lock', async () => {
    const { pool } = await proxied()
    const holder = await pool.connect()
    await holder.query('select pg_advisory_lock(7)')
    const { error } = await outcome(pool.query('select pg_advisory_lock(7)'))
    await holder.query('select pg_advisory_unlock(7)')
    holder.release()
    expect(error).toMatchObject({ code: '55P03' })
    expect(isOutage(error)).toBe(true)
  })

  it.each([
    ['statement_timeout', '10s'],
    ['lock_timeout', '5s'],
    ['idle_in_transaction_session_timeout', '30s'],
  ])('is limited from the moment of connecting: %s', async (name, value) => {
    const { pool } = await proxied()
    expect((await pool.query(`show ${name}`)).rows[0][name]).toBe(value)
  })
})

/** Transaction pooling in front of PostgreSQL: each transaction gets any free connection. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connect } from '#app/db/connect.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { makeDataDir } from '#tests/support/data-dir.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { createDemoDatabase, environmentOf } from '#tests/support/demo-template.ts'
import { hasPgbouncer, startPgbouncer } from '#tests/support/pgbouncer.ts'
import { freePort, type Running, readAccounts, startProcess, stopProcess } from '#tests/support/process.ts'
import { Visitor } from '#tests/support/visitor.ts'

const isThere = hasPgbouncer()
if (!isThere) process.stderr.write('pgbouncer is not installed: pooling of transactions is not tested.\n')

/** Far fewer than the concurrent requests. */
const CONNECTIONS = 2

describe.skipIf(!isThere)('Behind pgbouncer', () => {
  const folder = makeDataDir('bouncer')
  const dataDir = join(folder, 'data')
  let database: TestDatabase
  let bouncer: Awaited<ReturnType<typeof startPgbouncer>>
  let running: Running
  let adam: Visitor
  let admin: pg.Client

  beforeAll(async () => {
    database = await createDemoDatabase(inject('postgres'), dataDir)
    const { appUrl, workerUrl, identityUrl } = database
    bouncer = await startPgbouncer([appUrl, workerUrl, identityUrl], CONNECTIONS)
    admin = await database.connectAdmin()
    running = await startProcess(dataDir, await freePort(), {
      ...environmentOf(database, dataDir),
      LOG_LEVEL: 'warn',
      DATABASE_URL: bouncer.through(appUrl),
      DATABASE_WORKER_URL: bouncer.through(workerUrl),
      DATABASE_WORKER_DIRECT_URL: workerUrl,
      DATABASE_IDENTITY_URL: bouncer.through(identityUrl),
    })
    const account = readAccounts(dataDir).find(({ email }) => email.startsWith('adam@'))
    if (!account) throw new Error('The demo has no administrator.')
    adam = new Visitor(running.origin)
    await adam.signIn(account.email, account.password)
  }, 300_000)
  afterAll(async () => {
    if (running) await stopProcess(running)
    await bouncer?.stop()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('serves many concurrent requests on few connections', async () => {
    const paths = ['/users', '/', '/lljs/manage', '/analytics', '/settings/audit', '/users?q=adam']
    const statuses = await Promise.all(
      Array.from({ length: 36 }, (_, turn) =>
        adam.visit(paths[turn % paths.length] ?? '/').then(({ status }) => status),
      ),
    )
    expect(statuses).toEqual(statuses.map(() => 200))
    const { rows } = await admin.query(
      `select count(*)::int as those from pg_stat_activity where datname = $1 and usename = 'liftwell_app'`,
      [database.name],
    )
    expect(rows[0].those).toBeLessThanOrEqual(CONNECTIONS)
    expect(running.output()).not.toMatch(/prepared statement|unsupported startup/)
  })

  it('shows each scope only its own rows, on a connection that others used before', async () => {
    const app = connect(bouncer.through(database.appUrl), { max: 20 })
    const { rows: tenants } = await admin.query<{ id: string }>('select id from tenants')
    expect(await sql`select id from tenants`.execute(app)).toMatchObject({ rows: [] })
    await Promise.all(
      Array.from({ length: 100 }, async (_, turn) => {
        const { id } = tenants[turn % tenants.length] ?? { id: '' }
        const seen = await inScope(app, systemActor(id), ({ db }) =>
          db.selectFrom('users').select('tenant_id').distinct().execute(),
        )
        expect(seen.filter(({ tenant_id }) => tenant_id !== id)).toEqual([])
      }),
    )
    await app.destroy()
  })

  it('cancels a statement that takes too long, but not one that takes six seconds', async () => {
    const app = connect(bouncer.through(database.appUrl), { max: 1 })
    expect(await sql<{ said: string }>`select pg_sleep(6)::text as said`.execute(app)).toMatchObject({
      rows: [{ said: '' }],
    })
    await expect(sql`select pg_sleep(20)`.execute(app)).rejects.toMatchObject({ code: '57014' })
    await app.destroy()
  })

  it('runs queued jobs, because the queue has a direct connection', async () => {
    await admin.query(`select graphile_worker.add_job('look-after-journeys', '{}')`)
    const waiting = () =>
      admin
        .query(
          `select from graphile_worker.jobs where task_identifier = 'look-after-journeys' and attempts = 0`,
        )
        .then(({ rowCount }) => rowCount)
    await expect.poll(waiting, { timeout: 20_000 }).toBe(0)
    const { rowCount } = await admin.query(
      `select from pg_stat_activity where datname = $1 and application_name = 'liftwell listener'`,
      [database.name],
    )
    expect(rowCount).toBe(1)
  })
})

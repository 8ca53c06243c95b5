/** A database per test file: migrated, empty, and dropped afterwards. */
import { randomBytes } from 'node:crypto'
import { basename, relative } from 'node:path'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { expect, inject } from 'vitest'
import { connect } from '#app/db/connect.server.ts'
import { derivePasswords, restrictConnections, urlsOf } from '#app/db/prepare.server.ts'
import type { DB } from '#app/db/schema.ts'
import { WORKER_STATEMENT_MS } from '#app/db/timeouts.ts'
import { withTarget } from '#app/db/url.ts'
import { asAdmin, type TestPostgres, withAdmin } from './postgres.ts'
import { boundTo } from './time-bound.ts'

export type TestDatabase = {
  name: string
  app: Kysely<DB>
  worker: Kysely<DB>
  appUrl: string
  workerUrl: string
  identityUrl: string
  ownerUrl: string
  /** A superuser's URL for the same database: row-level security does not apply to it. */
  adminUrl: string
  /** Connects as that superuser, until the database is dropped. */
  connectAdmin(): Promise<pg.Client>
  /** How many of its connections wait for a lock. */
  countWaiting(): Promise<number>
  /** Closes its connections and waits up to a second for others that are closing. */
  leave(): Promise<void>
  drop(): Promise<void>
}

/** In a Vitest test; elsewhere pass the result of `startTestPostgres()`. */
export async function createTestDatabase(
  postgres: TestPostgres = inject('postgres'),
  template = postgres.template,
): Promise<TestDatabase> {
  const database = `liftwell_test_${randomBytes(6).toString('hex')}`
  const { adminUrl, secret } = postgres
  await withAdmin(adminUrl, async (admin) => {
    // Without synchronization, copying files takes a third of the time that logging each page takes.
    await admin.query(
      `create database ${database} template ${template} strategy file_copy owner liftwell_owner`,
    )
    await restrictConnections(admin, database)
  })
  const prepared = urlsOf(adminUrl, { database, passwords: derivePasswords(secret) })
  const urls = PLANS_ANEW.has(basename(testFile(), '.test.ts')) ? prepared : plannedOnce(prepared)
  const app = connect(urls.appUrl, { max: 5 })
  const worker = connect(urls.workerUrl, { max: 5, statement_timeout: WORKER_STATEMENT_MS })
  const admins: pg.Client[] = []
  async function connectAdmin() {
    const admin = new pg.Client({ connectionString: withTarget(adminUrl, { database }) })
    // A test may stop the server; the next query reports that.
    admin.on('error', () => {})
    await admin.connect()
    admins.push(admin)
    return admin
  }
  let watcher: Promise<pg.Client> | undefined
  /** On its own connection: a transaction does not see connections that are opened after its first look. */
  async function countWaiting() {
    watcher ??= connectAdmin()
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await (await watcher).query(waiting)).rowCount ?? 0
  }
  async function leave() {
    watcher = undefined
    await Promise.all([app.destroy(), worker.destroy(), ...admins.splice(0).map((admin) => admin.end())])
    await asAdmin(adminUrl, untilNobodyIsIn(database))
  }
  return {
    ...urls,
    ...{ name: database, app, worker },
    adminUrl: withTarget(adminUrl, { database }),
    connectAdmin,
    countWaiting,
    leave,
    async drop() {
      await leave()
      // The demo has its own messages.
      const isEmpty = template === postgres.template
      if (isEmpty) await requireKnownTime(withTarget(adminUrl, { database }))
      await asAdmin(adminUrl, `drop database if exists ${database} with (force)`)
    },
  }
}

/** Tests with thousands of rows, or that examine plans: they plan statements as the product does. */
const PLANS_ANEW = new Set([
  'lists-of-many',
  'long-plans',
  'members-many',
  'named-statements',
  'participant-plans',
  'send-to-many',
  'user-imports',
])

/** In other tests tables are small, and planning a statement each time would take longer than running it. */
function plannedOnce<Urls extends Record<string, string>>(urls: Urls): Urls {
  const entries = Object.entries(urls).map(([name, text]) => {
    const url = new URL(text)
    url.searchParams.set('options', '-c plan_cache_mode=force_generic_plan')
    return [name, url.href]
  })
  return Object.fromEntries(entries)
}

/** Empty in a proof, which is not a Vitest test. */
const testFile = () => (process.env.VITEST ? relative(process.cwd(), expect.getState().testPath ?? '') : '')

/** A connection that is still closing when its database is dropped would fail unhandled. */
const untilNobodyIsIn = (database: string) => `
  do $$ begin
    for attempt in 1..20 loop
      perform pg_stat_clear_snapshot();
      exit when not exists (select from pg_stat_activity where datname = '${database}');
      perform pg_sleep(0.05);
    end loop;
  end $$`

/** Fails a test that plans messages, and so depends on the time of day, unless time-bound.ts recognizes it. */
async function requireKnownTime(databaseUrl: string): Promise<void> {
  const file = testFile()
  if (file === '' || boundTo(file) !== undefined) return
  const { rowCount } = await withAdmin(databaseUrl, (admin) => admin.query('select from occurrences limit 1'))
  if (rowCount) throw new Error(`${file} plans messages: let tests/support/time-bound.ts know it.`)
}

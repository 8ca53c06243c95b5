/** The demo, seeded once per run: every other demo database is a copy of this template. */
import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { promisify } from 'node:util'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { type TestPostgres, withAdmin } from './postgres.ts'

/** The template was sealed with this secret, so every copy needs it. */
export const APP_SECRET = 'a-secret-for-tests-of-at-least-32-characters'

/** Creates a database with the demo, and copies its passwords into the folder. */
export async function createDemoDatabase(postgres: TestPostgres, dataDir: string): Promise<TestDatabase> {
  await keepDemoTemplate(postgres)
  await cp(postgres.demo.dataDir, dataDir, { recursive: true })
  return createTestDatabase(postgres, postgres.demo.template)
}

/** The first caller creates it, and the others wait. */
async function keepDemoTemplate(postgres: TestPostgres): Promise<void> {
  const { adminUrl, demo } = postgres
  await withAdmin(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [demo.template])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [demo.template])
    if (rowCount) return
    const database = await createTestDatabase(postgres)
    try {
      await seed(database, demo.dataDir)
    } catch (error) {
      await database.drop()
      throw error
    }
    await database.leave()
    await client.query(`alter database ${database.name} rename to ${demo.template}`)
    await client.query(`alter database ${demo.template} allow_connections false`)
  })
}

const seed = (database: TestDatabase, dataDir: string) =>
  promisify(execFile)(process.execPath, ['tests/support/seed-demo.ts'], {
    env: { ...process.env, ...environmentOf(database, dataDir), PUBLIC_ORIGIN: 'http://localhost:3000' },
  })

/** The environment in which a Liftwell process serves this demo database. */
export const environmentOf = (database: TestDatabase, dataDir: string) => ({
  NODE_ENV: 'production' as const,
  DATA_DIR: dataDir,
  DEMO: 'true',
  LOG_LEVEL: 'fatal',
  APP_SECRET,
  DATABASE_URL: database.appUrl,
  DATABASE_OWNER_URL: database.ownerUrl,
  DATABASE_WORKER_URL: database.workerUrl,
  DATABASE_IDENTITY_URL: database.identityUrl,
})

/**
 * The PostgreSQL of a test run: an embedded one in a temporary folder, or the one that DATABASE_URL names
 * (as an administrator). Every database of a test is a copy of one migrated template.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#app/db/embedded/start.server.ts'
import { bringUpToDate } from '#app/db/migrate.server.ts'
import { derivePasswords, prepareDatabase } from '#app/db/prepare.server.ts'
import { makeDataDir } from './data-dir.ts'

/** What a test needs to create databases. */
export type TestPostgres = {
  adminUrl: string
  secret: string
  /** Migrated and empty. */
  template: string
  /** The same with the demo, and the folder with its passwords: created for the first test that asks. */
  demo: { template: string; dataDir: string }
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestPostgres
  }
}

type Running = { postgres: TestPostgres; stop(): Promise<void> }
type Shared = { running: Promise<Running> | undefined; users: number }

/** All projects of a run share one server, although each runs this setup in its own module graph. */
const whole = globalThis as { liftwellTestPostgres?: Shared }
whole.liftwellTestPostgres ??= { running: undefined, users: 0 }
const shared = whole.liftwellTestPostgres

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.users += 1
  shared.running ??= startTestPostgres(process.env.DATABASE_URL)
  const { postgres, stop } = await shared.running
  project.provide('postgres', postgres)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    shared.running = undefined
    await stop()
  }
}

/** `settings` override those of tests, where PostgreSQL's own background work matters. */
export async function startTestPostgres(
  adminUrl?: string,
  settings: Record<string, string> = {},
): Promise<Running> {
  const removeFolders = keepFoldersTogether()
  const server = adminUrl
    ? { adminUrl, secret: adminUrl, stop: async () => {} }
    : await startTemporary(settings)
  const run = randomBytes(6).toString('hex')
  const template = `liftwell_template_${run}`
  const demo = { template: `liftwell_demo_${run}`, dataDir: makeDataDir('demo') }
  const { ownerUrl } = await prepareDatabase(server.adminUrl, {
    database: template,
    passwords: derivePasswords(server.secret),
  })
  await bringUpToDate(ownerUrl)
  // A template that accepts no connections can always be copied.
  await asAdmin(server.adminUrl, `alter database ${template} allow_connections false`)
  return {
    postgres: { adminUrl: server.adminUrl, secret: server.secret, template, demo },
    async stop() {
      if (adminUrl)
        for (const name of [template, demo.template])
          await asAdmin(server.adminUrl, `drop database if exists ${name}`)
      await server.stop()
      rmSync(demo.dataDir, { recursive: true, force: true })
      removeFolders()
    },
  }
}

/** Everything tests leave in the temporary folder is removed with the run, even that of killed ones. */
function keepFoldersTogether(): () => void {
  const { TMPDIR = tmpdir() } = process.env
  const folder = mkdtempSync(join(TMPDIR, 'liftwell-run-'))
  // PostgreSQL passes through it as another user.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  return () => {
    process.env.TMPDIR = TMPDIR
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startTemporary(more: Record<string, string>) {
  const dataDir = makeDataDir('test')
  const server = await startEmbedded({
    dataDir,
    settings: {
      ...{ fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' },
      // A database lives for seconds: vacuum and statistics would run at any moment, or never.
      autovacuum: 'off',
      // Every database that is dropped waits for those who are signing in: a test that silences them would stop all others.
      authentication_timeout: '5s',
      ...more,
    },
  })
  // A run that ends early leaves no server running.
  process.once('exit', () => {
    try {
      if (existsSync(dataDir)) process.kill(server.pid(), 'SIGQUIT')
    } catch {
      // It has ended by itself.
    }
  })
  return {
    ...server,
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export const asAdmin = (adminUrl: string, statement: string) =>
  withAdmin(adminUrl, async (client) => {
    await client.query(statement)
  })

export async function withAdmin<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** An external PostgreSQL, reached through a proxy; if it runs on this machine, it can be killed and restarted. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readPidFile } from '#app/db/embedded/pid-file.server.ts'
import { derivePasswords, prepareDatabase } from '#app/db/prepare.server.ts'
import { withTarget } from '#app/db/url.ts'
import { startDatabaseProxy } from '#tests/support/tcp-proxy.ts'
import { type Database, withAdmin } from './database.ts'

/** How a local postmaster was started. */
type Started = { folder: string; program: string; args: string[]; cwd: string; uid: number; gid: number }

export async function openElsewhere(url: string, secret: string) {
  const name = `liftwell_faults_${randomBytes(6).toString('hex')}`
  const urls = await prepareDatabase(url, { database: name, passwords: derivePasswords(secret) })
  const proxy = await startDatabaseProxy(url)
  const adminUrl = () => withTarget(url, { database: name })
  const folder = await withAdmin({ adminUrl }, async (client) => {
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    )
    return rows[0]?.folder ?? ''
  })
  const started = findStarted(folder)

  const database: Database = {
    adminUrl,
    disk: null,
    postmaster: () => (started ? readPidFile(folder)?.pid : undefined),
    async comeBack() {
      if (started) await startAgain(started, adminUrl())
    },
    way: async () => ({ proxy, end: () => proxy.pass() }),
    async close() {
      await proxy.close()
      await withAdmin({ adminUrl: () => url }, (client) => client.query(`drop database ${name} with (force)`))
    },
  }
  return {
    database,
    env: {
      DATABASE_URL: proxy.through(urls.appUrl),
      DATABASE_WORKER_URL: proxy.through(urls.workerUrl),
      DATABASE_IDENTITY_URL: proxy.through(urls.identityUrl),
      DATABASE_OWNER_URL: proxy.through(urls.ownerUrl),
    },
  }
}

function findStarted(folder: string): Started | null {
  try {
    const pid = readPidFile(folder)?.pid
    const [program, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    const { uid, gid } = statSync(folder)
    const isOurs = process.getuid?.() === 0 || process.getuid?.() === uid
    if (!program || !isOurs || !existsSync(join(folder, 'postmaster.pid'))) return null
    return {
      folder,
      program: readlinkSync(`/proc/${pid}/exe`),
      args,
      cwd: readlinkSync(`/proc/${pid}/cwd`),
      uid,
      gid,
    }
  } catch {
    return null
  }
}

async function startAgain({ folder, program, args, cwd, uid, gid }: Started, url: string): Promise<void> {
  const before = readPidFile(folder)?.pid
  while (before && isAlive(before)) await sleep(20)
  for (;;) {
    // A killed postmaster leaves its pid file behind.
    if (before === readPidFile(folder)?.pid) rmSync(join(folder, 'postmaster.pid'), { force: true })
    const child = spawn(program, args, { cwd, uid, gid, detached: true, stdio: 'ignore' })
    child.unref()
    while (child.exitCode === null) {
      if (await answers(url)) return
      await sleep(50)
    }
    // Its children still hold the shared memory for a moment.
    await sleep(100)
  }
}

/** A zombie counts as dead. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

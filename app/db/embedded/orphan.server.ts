/** Handles the server that a killed Liftwell left running: adopts it if it answers, stops it otherwise. */
import { readFileSync, readlinkSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../client.server.ts'
import type { Binaries } from './binaries.server.ts'
import { readSecret } from './cluster.server.ts'
import type { Home } from './home.server.ts'
import { type PidFile, pidFileOf, readPidFile } from './pid-file.server.ts'
import { type Endpoint, stopServer, urlOf } from './postmaster.server.ts'
import { beginningOf } from './process-identity.server.ts'

const PATIENCE_MS = 10_000
/** The pid file and the server's own start time come from two clock readings a moment apart. */
const CLOCK_TOLERANCE_S = 5

export type Running = { pid: number; endpoint: Endpoint }

export async function adoptOrStop(home: Home, binaries: Binaries): Promise<Running | undefined> {
  const file = readPidFile(home.folder)
  if (!file || beginningOf(file.pid) === undefined) return undefined
  if (isForeign(file.pid, home.folder)) {
    // The pid now belongs to another program; PostgreSQL itself would take that for a running server.
    rmSync(pidFileOf(home.folder), { force: true })
    return undefined
  }
  const adopted = await adopt(home)
  if (adopted) return adopted
  await stopServer(home, binaries, 8)
  return undefined
}

/** Whether a process certainly is not the folder's server, whose working directory is its data folder. */
function isForeign(pid: number, folder: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    const program = basename(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '')
    return program.split(/[\s:]/)[0] !== 'postgres' || readlinkSync(`/proc/${pid}/cwd`) !== folder
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

async function adopt(home: Home): Promise<Running | undefined> {
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline) {
    const file = readPidFile(home.folder)
    if (!file || beginningOf(file.pid) === undefined) return undefined
    if (file.isReady) {
      const endpoint = file.socketFolder ? { socketFolder: file.socketFolder } : { port: file.port }
      return (await isOurs(home, file, endpoint)) ? { pid: file.pid, endpoint } : undefined
    }
    await sleep(50)
  }
  return undefined
}

/** Checks the server that listens there: it must accept our password, serve our folder and have the file's start time. */
async function isOurs({ folder }: Home, file: PidFile, endpoint: Endpoint): Promise<boolean> {
  const connectionString = urlOf(endpoint, readSecret(folder))
  const client = createClient(connectionString, { connectionTimeoutMillis: 3_000, query_timeout: 3_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ folder: string; started_at: number }>(
      `select current_setting('data_directory') as folder,
        extract(epoch from pg_postmaster_start_time())::float8 as started_at`,
    )
    const answer = rows[0]
    return answer?.folder === folder && Math.abs(answer.started_at - file.startedAt) <= CLOCK_TOLERANCE_S
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

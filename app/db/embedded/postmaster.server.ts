/** Starts and stops the server process, outside our process group so that only we stop it. */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, lstatSync, mkdtempSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { asAccount } from './account.server.ts'
import type { Binaries } from './binaries.server.ts'
import { SUPERUSER } from './cluster.server.ts'
import { give, type Home, makePrivateFolder } from './home.server.ts'
import { pidFileOf, readPidFile } from './pid-file.server.ts'
import { beginningOf } from './process-identity.server.ts'

const run = promisify(execFile)

/** Where the server listens: a socket that only its user and root can reach, else a local port. */
export type Endpoint = { socketFolder: string } | { port: number }
export type Settings = Record<string, string>

/** The longest socket path, file name included, that every system accepts. */
const SOCKET_PATH_MAX = 103
const LOG_MAX_BYTES = 10_000_000

const SETTINGS: Settings = {
  shared_buffers: '128MB',
  max_connections: '100',
  fsync: 'on',
  // JIT compilation takes longer than any query of ours.
  jit: 'off',
  // Analyzes growing tables soon: plans without statistics cost seconds under row-level security.
  autovacuum_naptime: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A statement may contain data that must not be logged.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  // Queries of a killed process end soon.
  client_connection_check_interval: '2s',
  // After a crash of a backend the server ends, and we start it again: restarting itself, one that finds its disk full
  // during recovery would hang without accepting connections.
  restart_after_crash: 'off',
}

export async function chooseEndpoint(home: Home): Promise<Endpoint> {
  if (process.platform === 'win32') return { port: await freePort() }
  const { folder } = home
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= SOCKET_PATH_MAX) return { socketFolder: folder }
  return { socketFolder: shortFolder(home) }
}

/** The same folder for the same data folder, unless somebody else has taken it. */
function shortFolder({ folder, account }: Home): string {
  const known = join(tmpdir(), `liftwell-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`)
  const found = lstatSync(known, { throwIfNoEntry: false })
  if (found?.isDirectory() && found.uid === (account.uid ?? process.getuid?.())) return known
  const socketFolder = found ? mkdtempSync(join(tmpdir(), 'liftwell-')) : known
  if (!found) makePrivateFolder(socketFolder, account)
  else give(socketFolder, account)
  return socketFolder
}

export function forgetEndpoint({ folder }: Home, endpoint: Endpoint): void {
  if ('port' in endpoint || endpoint.socketFolder === folder) return
  rmSync(endpoint.socketFolder, { recursive: true, force: true })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

export function urlOf(endpoint: Endpoint, secret: string): string {
  const who = `${SUPERUSER}:${encodeURIComponent(secret)}`
  if ('port' in endpoint) return `postgresql://${who}@127.0.0.1:${endpoint.port}/postgres`
  return `postgresql://${who}@localhost/postgres?host=${encodeURIComponent(endpoint.socketFolder)}`
}

/** Starts the server and waits until it accepts connections, crash recovery included; returns its pid. */
export async function launch(
  home: Home,
  binaries: Binaries,
  endpoint: Endpoint,
  settings: Settings,
): Promise<number> {
  forgetDead(home.folder)
  const logFile = join(dirname(home.folder), 'postgres.log')
  const log = openLog(logFile)
  const heardFrom = statSync(logFile).size
  try {
    const options = Object.entries({ ...SETTINGS, ...listenOn(endpoint), ...settings })
    const child = spawn(
      binaries.postgres,
      ['-D', home.folder, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...asAccount(home.account), detached: true, stdio: ['ignore', log, log] },
    )
    child.unref()
    const failure = new Promise<Error>((resolve) => child.once('error', resolve))
    if (child.pid === undefined) throw await failure
    await untilReady(home.folder, child.pid, () => tailOf(logFile, heardFrom))
    return child.pid
  } finally {
    closeSync(log)
  }
}

async function untilReady(folder: string, pid: number, readLog: () => string): Promise<void> {
  while (beginningOf(pid) !== undefined) {
    const file = readPidFile(folder)
    if (file?.pid === pid && file.isReady) return
    await sleep(25)
  }
  throw Object.assign(new Error('The server ended while it started.'), { stderr: readLog() })
}

function listenOn(endpoint: Endpoint): Settings {
  if ('port' in endpoint) {
    return { listen_addresses: '127.0.0.1', port: String(endpoint.port), unix_socket_directories: '' }
  }
  return {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: endpoint.socketFolder,
    unix_socket_permissions: '0700',
  }
}

/** PostgreSQL would take a killed server whose pid is still listed (a zombie) for a running one. */
function forgetDead(folder: string): void {
  const file = readPidFile(folder)
  if (file && beginningOf(file.pid) === undefined) rmSync(pidFileOf(folder), { force: true })
}

/** Ends the sessions and the server; unfinished transactions roll back. */
export async function stopServer(
  { folder, account }: Home,
  { pg_ctl }: Binaries,
  patience = 30,
): Promise<void> {
  const server = readPidFile(folder)
  if (!server) return
  for (const mode of ['fast', 'immediate']) {
    if (beginningOf(server.pid) === undefined) return
    const options = ['stop', '-D', folder, '-m', mode, '-w', '-t', String(patience)]
    await run(pg_ctl, options, asAccount(account)).catch(() => {})
  }
  // Everything committed is in the WAL; the next start recovers it.
  while (beginningOf(server.pid) !== undefined) {
    process.kill(server.pid, 'SIGKILL')
    await sleep(50)
  }
}

function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_MAX_BYTES) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

function tailOf(file: string, from: number): string {
  const size = statSync(file).size
  const buffer = Buffer.alloc(Math.min(size - from, 20_000))
  const handle = openSync(file, 'r')
  readSync(handle, buffer, 0, buffer.length, size - buffer.length)
  closeSync(handle)
  return buffer.toString()
}

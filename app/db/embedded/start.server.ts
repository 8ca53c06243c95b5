/** Starts our own PostgreSQL on a data folder, and stops it. */

import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { installedBinaries } from './binaries.server.ts'
import { DatabaseStartError } from './database-start-error.ts'

export type EmbeddedOptions = { dataDir: string; settings?: Record<string, string> }
export type EmbeddedServer = { adminUrl: string; secret: string; pid: number; stop(): Promise<void> }

export async function startEmbedded({ dataDir, settings = {} }: EmbeddedOptions): Promise<EmbeddedServer> {
  const run = promisify(execFile)
  const binaries = installedBinaries()
  const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const folder = join(dataDir, 'postgres')
  const secretFile = join(dataDir, 'postgres.password')
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (account.uid) chownSync(folder, account.uid, account.gid)
    writeFileSync(secretFile, randomBytes(24).toString('base64url'), { mode: 0o644 })
    await run(
      binaries.initdb,
      [
        '-D',
        folder,
        '-U',
        'postgres',
        `--pwfile=${secretFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--data-checksums',
      ],
      account,
    )
  }
  const secret = readFileSync(secretFile, 'utf8')
  const sockets = mkdtempSync(join(tmpdir(), 'liftwell-'))
  if (account.uid) chownSync(sockets, account.uid, account.gid)
  const log = openSync(join(dataDir, 'postgres.log'), 'a')
  const all = { listen_addresses: '', unix_socket_directories: sockets, ...settings }
  const child = spawn(
    binaries.postgres,
    ['-D', folder, ...Object.entries(all).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    { ...account, detached: true, stdio: ['ignore', log, log] },
  )
  child.unref()
  const pidFile = join(folder, 'postmaster.pid')
  for (let i = 0; ; i++) {
    if (existsSync(pidFile) && readFileSync(pidFile, 'utf8').split('\n')[7]?.trim() === 'ready') break
    if (child.exitCode !== null || i > 600) throw new DatabaseStartError('The database did not start.')
    await sleep(50)
  }
  return {
    adminUrl: `postgresql://postgres:${secret}@localhost/postgres?host=${encodeURIComponent(sockets)}`,
    secret,
    pid: child.pid ?? 0,
    async stop() {
      await run(binaries.pg_ctl, ['stop', '-D', folder, '-m', 'fast', '-w'], account)
      rmSync(sockets, { recursive: true, force: true })
    },
  }
}

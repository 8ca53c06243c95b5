/** A PostgreSQL with a streaming replica made from a base backup. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Account, asAccount } from '#app/db/embedded/account.server.ts'
import { usableBinaries } from '#app/db/embedded/binaries.server.ts'
import { copyCluster } from '#app/db/embedded/copy-cluster.server.ts'
import { findHome, give } from '#app/db/embedded/home.server.ts'
import { startEmbedded } from '#app/db/embedded/start.server.ts'
import { bringUpToDate } from '#app/db/migrate.server.ts'
import { derivePasswords, prepareDatabase } from '#app/db/prepare.server.ts'
import { makeDataDir } from './data-dir.ts'
import { freePort } from './process.ts'

export async function startPair() {
  const dataDir = makeDataDir('pair')
  const server = await startEmbedded({ dataDir, settings: { fsync: 'off', max_connections: '50' } })
  const urls = await prepareDatabase(server.adminUrl, {
    database: 'liftwell',
    passwords: derivePasswords(server.secret),
  })
  await bringUpToDate(urls.ownerUrl)

  const home = findHome(dataDir)
  const binaries = usableBinaries(home.account)
  const folder = join(dataDir, 'standby')
  mkdirSync(folder)
  await copyCluster(home, folder)
  const admin = new URL(server.adminUrl)
  const connection = [
    `host=${admin.searchParams.get('host') ?? admin.hostname}`,
    `port=${admin.port || 5432}`,
    `user=${admin.username}`,
    `password=${decodeURIComponent(admin.password)}`,
  ]
  writeFileSync(join(folder, 'standby.signal'), '')
  appendFileSync(join(folder, 'postgresql.auto.conf'), `\nprimary_conninfo = '${connection.join(' ')}'\n`)
  giveAll(folder, home.account)
  chmodSync(folder, 0o700)

  const port = await freePort()
  const options = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '50',
    hot_standby: 'on',
    wal_retrieve_retry_interval: '200ms',
  }
  const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child: ChildProcess | undefined

  /** The URL of the same database on the replica. */
  const there = (url: string): string => {
    const led = new URL(url)
    led.searchParams.delete('host')
    return Object.assign(led, { hostname: '127.0.0.1', port: String(port), pathname: '/liftwell' }).href
  }
  async function start(): Promise<void> {
    child = spawn(binaries.postgres, ['-D', folder, ...args], { ...asAccount(home.account), stdio: 'ignore' })
    for (let left = 200; left > 0; left--) {
      const client = new pg.Client({ connectionString: there(server.adminUrl) })
      const isThere = await client.connect().then(
        () => true,
        () => false,
      )
      if (isThere) return client.end()
      await sleep(100)
    }
    throw new Error('The replica does not answer.')
  }
  async function stop(): Promise<void> {
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
  }
  await start()
  return {
    ...urls,
    adminUrl: Object.assign(new URL(server.adminUrl), { pathname: '/liftwell' }).href,
    there,
    standby: { start, stop },
    async close() {
      await stop()
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function giveAll(folder: string, account: Account): void {
  give(folder, account)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    give(join(entry.parentPath, entry.name), account)
}

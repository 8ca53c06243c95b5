/** The product's own PostgreSQL, in a data folder with its own disk if root runs the proof. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { readSecret } from '#app/db/embedded/cluster.server.ts'
import { findHome } from '#app/db/embedded/home.server.ts'
import { readPidFile } from '#app/db/embedded/pid-file.server.ts'
import { urlOfRunning } from '#app/db/embedded/running.server.ts'
import { withTarget } from '#app/db/url.ts'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { startTcpProxy } from '#tests/support/tcp-proxy.ts'
import { type Database, terminateAll, type Way, withAdmin } from './database.ts'

const DISK_BYTES = '900m'

export function openEmbedded(): Database & { dataDir: string } {
  const dataDir = makeDataDir('faults')
  const disk = mountDisk(dataDir)
  const home = () => findHome(dataDir)
  const opened: Way[] = []
  const adminUrl = () => {
    const url = urlOfRunning(home())
    if (url === null) throw new Error('The embedded database does not run.')
    return withTarget(url, { database: 'liftwell' })
  }

  return {
    dataDir,
    adminUrl,
    secret: () => readSecret(home().folder),
    disk,
    postmaster: () => readPidFile(home().folder)?.pid,
    // The product restarts it by itself.
    async comeBack() {},
    async way() {
      const { folder } = home()
      const [socket, moved] = [join(folder, '.s.PGSQL.5432'), join(folder, '.s.PGSQL.5433')]
      const past = new URL(adminUrl())
      past.port = '5433'
      const proxy = await startTcpProxy({ path: moved }, `${socket}.proxy`)
      renameSync(socket, moved)
      renameSync(`${socket}.proxy`, socket)
      // Only new connections lead through the proxy.
      await withAdmin({ adminUrl: () => past.href }, terminateAll)
      const way = {
        proxy,
        async end() {
          await proxy.pass()
          renameSync(moved, socket)
        },
      }
      opened.push(way)
      return way
    },
    async close() {
      // The server of a killed product still runs.
      const left = readPidFile(home().folder)?.pid
      if (left !== undefined) process.kill(left, 'SIGKILL')
      for (const { proxy } of opened) await proxy.close()
      if (disk) execFileSync('/bin/umount', ['-l', dataDir])
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function mountDisk(dataDir: string): Database['disk'] {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return null
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=755`, 'tmpfs', dataDir], {
      stdio: 'ignore',
    })
  } catch {
    return null
  }
  const ballast = join(dataDir, 'ballast')
  return { fill: () => fill(ballast), free: () => rmSync(ballast, { force: true }) }
}

/** Fills the disk down to the last byte, with ever smaller writes. */
function fill(file: string): void {
  const handle = openSync(file, 'a')
  for (const size of [1 << 20, 4096])
    try {
      for (;;) writeSync(handle, Buffer.alloc(size))
    } catch {
      // Full for this size.
    }
  closeSync(handle)
}

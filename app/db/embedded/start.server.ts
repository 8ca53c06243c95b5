/** Runs our own PostgreSQL on a data folder: creates, finds, adopts, restarts and stops it. */
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Binaries, usableBinaries } from './binaries.server.ts'
import { readSecret, requireCluster } from './cluster.server.ts'
import { explained } from './explain.server.ts'
import { findHome, type Home } from './home.server.ts'
import { takeLock } from './lock.server.ts'
import { makeDataFolder } from './make-folder.server.ts'
import { adoptOrStop, type Running } from './orphan.server.ts'
import {
  chooseEndpoint,
  type Endpoint,
  forgetEndpoint,
  freePort,
  launch,
  type Settings,
  stopServer,
  urlOf,
} from './postmaster.server.ts'
import { beginningOf } from './process-identity.server.ts'

export type EmbeddedOptions = {
  dataDir: string
  settings?: Settings
  signal?: AbortSignal | undefined
}

export type EmbeddedServer = {
  adminUrl: string
  /** Known to this installation only; the passwords of the roles derive from it. */
  secret: string
  pid(): number
  notice?: string
  stop(): Promise<void>
}

const WATCH_MS = 500
const RETRY_MS = 10_000

export function startEmbedded({ dataDir, settings = {}, signal }: EmbeddedOptions): Promise<EmbeddedServer> {
  return explained(dataDir, async () => {
    makeDataFolder(dataDir)
    const locks = [await takeLock(realpathSync(dataDir))]
    const unlock = () => {
      for (const release of locks.splice(0)) release()
    }
    try {
      const home = findHome(dataDir)
      // Two data folders may link to the same one.
      if (dirname(home.folder) !== realpathSync(dataDir)) locks.push(await takeLock(dirname(home.folder)))
      return await serve(home, settings, unlock, signal)
    } catch (error) {
      unlock()
      throw error
    }
  })
}

async function serve(
  home: Home,
  settings: Settings,
  unlock: () => void,
  signal: AbortSignal | undefined,
): Promise<EmbeddedServer> {
  const binaries = usableBinaries(home.account)
  await requireCluster(home, binaries, settings.fsync !== 'off')
  signal?.throwIfAborted()
  const secret = readSecret(home.folder)
  const running = (await adoptOrStop(home, binaries)) ?? (await start(home, binaries, settings))
  const unwatch = watch(running, () => launch(home, binaries, running.endpoint, settings))
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= unwatch()
      .then(() => stopServer(home, binaries))
      .then(() => forgetEndpoint(home, running.endpoint))
      .then(unlock)
    return stopped
  }
  if (signal?.aborted) {
    await stop()
    signal.throwIfAborted()
  }
  signal?.addEventListener('abort', stop)
  return {
    adminUrl: urlOf(running.endpoint, secret),
    secret,
    pid: () => running.pid,
    ...(home.notice !== undefined && { notice: home.notice }),
    stop,
  }
}

async function start(home: Home, binaries: Binaries, settings: Settings): Promise<Running> {
  const endpoint = await chooseEndpoint(home)
  const deadline = performance.now() + RETRY_MS
  const attempt = async (where: Endpoint): Promise<Running> => {
    try {
      return { endpoint: where, pid: await launch(home, binaries, where, settings) }
    } catch (error) {
      const said = String((error as { stderr?: string }).stderr)
      // A server that was killed, or is just starting, needs a moment to be gone or ready.
      if (/shared memory block|lock file .* already exists/i.test(said) && performance.now() < deadline) {
        await sleep(200)
        return (await adoptOrStop(home, binaries)) ?? attempt(where)
      }
      // Some file systems do not support sockets.
      if (/Unix.domain socket/i.test(said) && 'socketFolder' in where)
        return attempt({ port: await freePort() })
      throw error
    }
  }
  return attempt(endpoint)
}

/** Restarts the server at the same endpoint when it ends unexpectedly. */
function watch(running: Running, launchAgain: () => Promise<number>): () => Promise<void> {
  let isWatching = true
  let restart = Promise.resolve()
  const look = async () => {
    if (beginningOf(running.pid) === undefined) {
      restart = launchAgain().then(
        (pid) => {
          running.pid = pid
        },
        () => {},
      )
      await restart
    }
    if (isWatching) timer.refresh()
  }
  const timer = setTimeout(look, WATCH_MS).unref()
  return async () => {
    isWatching = false
    clearTimeout(timer)
    await restart
  }
}

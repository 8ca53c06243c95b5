/**
 * The process, the same in development and production. It listens, opens the platform and the site behind the front,
 * and closes them in order. It reaches app code only through the build. `--prepare` makes the build and, from the
 * sources, the demo of a first start at the same time.
 */
import cluster from 'node:cluster'
import { createServer, type Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from '@remix-run/node'
import type { RequestHandler } from 'express'
import type { ViteDevServer } from 'vite'
import { BUILT, buildWhenStale } from './.config/build.ts'
import { endOnSignals, together } from './app/process/ending.ts'
import { listen, ownAddress } from './app/process/listening.ts'

type Parts = typeof import('./app/entry.server.tsx')['parts']
type Platform = Awaited<ReturnType<Parts['startPlatform']>>
type Front = ReturnType<Parts['createFront']>
type Others = Parameters<Front['drain']>[1]
/** What a stop has to close, as far as the start has got. */
type Running = { platform?: Promise<Platform>; isStopping: boolean }
/** The connection of one of several workers to the primary process. */
type Link = ReturnType<Parts['openLink']>
type Source = {
  load(): Promise<ServerBuild>
  /** Answers requests; in development, changed modules are loaded again. */
  site: ServerBuild | (() => Promise<ServerBuild>)
  files: string | RequestHandler
  /** Handles the WebSocket upgrades of hot reload. */
  reloads?: Server
  close(): Promise<void>
}

const ROOT = import.meta.dirname
/** In-flight requests get this long, then everything else is closed: the whole takes less than ten seconds. */
const PATIENCE_MS = 6000
const LAST_MS = 9500

const isDevelopment = process.argv.includes('--dev')
process.env.NODE_ENV ??= isDevelopment ? 'development' : 'production'
process.chdir(ROOT)
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/** Runs in a separate process before the one that stays (`.config/start.sh`). */
async function prepare(): Promise<void> {
  await endOnSignals((signal) => together(signal, [buildWhenStale, beginData]))
  flushCompileCache()
  process.exit()
}

async function beginData(signal: AbortSignal): Promise<void> {
  const [{ getConfig }, { startPlatform }] = await Promise.all([
    import('./app/config.server.ts'),
    import('./app/process/platform.server.ts'),
  ])
  const { DEMO, WEB_TIER, PORT, HOST } = getConfig()
  if (WEB_TIER || !DEMO) return
  // A port in use is reported now, before the demo is created, which takes a while.
  const probe = createServer()
  await listen(probe, PORT, HOST)
  probe.close()
  const platform = await startPlatform(signal)
  await platform.stop()
}

async function start(): Promise<void> {
  const source = isDevelopment ? await developmentSource() : await builtSource()
  const parts = partsOf(await source.load())
  const config = parts.getConfig()
  if (!isDevelopment && parts.isPrimary(config)) return parts.runPrimary()
  const link = parts.openLink()
  const front = parts.createFront({ config, log: parts.log, files: source.files })
  const running: Running = { isStopping: false }
  stopOnSignals(parts, front, source, running, link)

  if (!link?.joins) {
    const port = await listen(front.server, config.PORT, config.HOST)
    if (config.PORT === 0 && !process.env.PUBLIC_ORIGIN) config.PUBLIC_ORIGIN = `http://localhost:${port}`
  }
  if (source.reloads) front.server.on('upgrade', (...upgrade) => source.reloads?.emit('upgrade', ...upgrade))

  running.platform = parts.startPlatform()
  const platform = await running.platform
  if (running.isStopping) return
  openSite(parts, front, source, platform)
  if (link?.joins) await listen(front.server, config.PORT, config.HOST)
  platform.setAddress(ownAddress(front.server))
  await platform.startWork()
  link?.ready()
  if (link?.joins) return
  const greeting = await platform.greeting()
  flushCompileCache()
  console.log(`${greeting ? `\n${greeting}\n` : ''}\nLiftwell is ready at ${config.PUBLIC_ORIGIN}\n`)
}

function openSite({ createSite }: Parts, front: Front, source: Source, platform: Platform): void {
  const { identity, hooks, config } = platform
  const site = createSite({ identity, hooks, build: source.site, mode: config.NODE_ENV })
  const nothing: RequestHandler = (_req, _res, next) => next()
  front.open({ site: config.ROLE === 'worker' ? nothing : site, isReady: () => platform.isReady() })
}

async function builtSource(): Promise<Source> {
  if (cluster.isPrimary) await endOnSignals(buildWhenStale)
  const built: ServerBuild = await import(pathToFileURL(BUILT).href)
  return { load: async () => built, site: built, files: join(ROOT, 'build/client'), close: async () => {} }
}

async function developmentSource(): Promise<Source> {
  const { createServer: createVite } = await import('vite')
  const reloads = createServer()
  const vite: ViteDevServer = await createVite({
    root: ROOT,
    server: { middlewareMode: true, hmr: { server: reloads }, cors: false },
    appType: 'custom',
  })
  const load = () => vite.ssrLoadModule('virtual:remix/server-build') as Promise<ServerBuild>
  return { load, site: load, files: vite.middlewares, reloads, close: () => vite.close() }
}

const partsOf = (built: ServerBuild) => (built.entry.module as unknown as { parts: Parts }).parts

function stopOnSignals(
  { log, reportRejection }: Parts,
  front: Front,
  source: Source,
  running: Running,
  link: Link,
): void {
  const stop = async (code: number, others: Others = link && { stay: true }) => {
    if (running.isStopping) return
    running.isStopping = true
    let isQuiet = false
    // A database that is still closing then finishes by itself.
    setTimeout(() => process.exit(isQuiet ? code : code || 1), LAST_MS).unref()
    const opening = running.platform?.catch(() => undefined)
    await Promise.all([
      front.drain(PATIENCE_MS, others),
      opening?.then((platform) => platform?.stopWork()),
      source.close(),
    ])
    isQuiet = true
    await opening?.then((platform) => platform?.stop())
    log.flush()
    process.exit(code)
  }
  const stopOrFail = (code: number, others?: Others) => void stop(code, others).catch(giveUp)
  // Workers leave when the primary process tells them: a terminal or a supervisor signals to all of them at once.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    if (link) process.on(signal, () => {})
    else if (signal !== 'SIGHUP') process.on(signal, () => stopOrFail(0))
  link?.onLeave((why) =>
    stopOrFail(0, why === 'all end' ? { stay: false, allAre: link.allAre } : { stay: true }),
  )
  process.on('unhandledRejection', reportRejection)
  process.on('uncaughtException', (err) => {
    log.fatal({ event: 'process.uncaughtException', err }, 'the process failed and stops')
    stopOrFail(1)
  })
}

/** An error that a person can mend is printed as one sentence; only our own mistakes show a stack trace. */
function giveUp(error: unknown): never {
  const isExplained =
    error instanceof Error &&
    /^(StartError|ConfigError|DatabaseStartError|WallError|ReplicaError|MigrationError)$/.test(nameOf(error))
  console.error(isExplained ? error.message : error)
  process.exit(1)
}

const nameOf = (error: Error) => (error.name === 'Error' ? error.constructor.name : error.name)

await (process.argv.includes('--prepare') ? prepare() : start()).catch(giveUp)

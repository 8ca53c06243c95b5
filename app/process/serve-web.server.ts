/** `remix-serve` behind our front: its application's `listen` is replaced by one that puts the front before it. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from '@remix-run/node'
import type { Application, RequestHandler } from 'express'

const ROOT = join(import.meta.dirname, '../..')
const BUILT = join(ROOT, 'build/server/index.js')
const PATIENCE_MS = 6000

type Parts = typeof import('../entry.server.tsx')['parts']
type Express = { application: { listen: unknown } }
type Morgan = { format(name: string, line: () => undefined): void }

function stop(why: unknown): never {
  const isExplained = !(why instanceof Error) || /Config|Start/.test(why.constructor.name) || 'code' in why
  process.stderr.write(`${isExplained ? String((why as Error).message ?? why) : (why as Error).stack}\n`)
  process.exit(1)
}

if (!existsSync(BUILT)) stop('There is no build: run `npm run build` first.')
// The build reads the configuration when it loads.
const built: ServerBuild = await import(pathToFileURL(BUILT).href).catch(stop)
const { behindFront, createFront, getConfig, log, reportRejection, startPlatform } = (
  built.entry.module as unknown as { parts: Parts }
).parts

const config = getConfig()
if (!config.WEB_TIER)
  stop('API_BASE_URL is needed (without DATABASE_URL): the screens alone run in front of another server.')

const platform = await startPlatform().catch(stop)
const { site, build } = behindFront(built, platform.identity)

const { fetch, File, FormData, Headers, Request, Response } = globalThis

// Resolves the same copies of these packages that remix-serve uses.
const ofServe = createRequire(createRequire(import.meta.url).resolve('@remix-run/serve/package.json'))
// The front logs requests, without query strings.
;(ofServe('morgan') as Morgan).format('tiny', () => undefined)
;(ofServe('express') as Express).application.listen = function listen(this: Application) {
  // remix-serve replaces these globals with copies that our libraries do not recognize.
  Object.assign(globalThis, { fetch, File, FormData, Headers, Request, Response })
  const front = createFront({ config, log, files: join(ROOT, 'build/client') })
  front.open({ site: site(this as unknown as RequestHandler), isReady: () => platform.isReady() })
  front.server.once('error', stop)
  front.server.listen(config.PORT, config.HOST, () => {
    process.stdout.write(`Liftwell’s screens are ready at ${config.PUBLIC_ORIGIN}\n`)
  })
  return { close: () => void front.drain(PATIENCE_MS).then(() => process.exit(0)) }
}
process.on('unhandledRejection', reportRejection)

export const { assets, assetsBuildDirectory, basename, entry, future, isSpaMode, mode, publicPath, routes } =
  build

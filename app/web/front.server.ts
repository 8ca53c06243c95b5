/** Everything a request passes before it reaches the site. While the site starts, requests wait, then get a 503. */
import type { Server } from 'node:http'
import { constants } from 'node:zlib'
import compression from 'compression'
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express'
import type { Config } from '#app/config.server.ts'
import type { Logger } from '#app/integrations/log.server.ts'
import { isOutage } from '#app/integrations/outage.server.ts'
import {
  bearPublicName,
  preferPublicName,
  requireEncryption,
  settleAddress,
  trustProxies,
} from './address.server.ts'
import { answerRefusal } from './answer.server.ts'
import { browserReports } from './browser-reports.server.ts'
import { keepPrivate } from './caching.server.ts'
import { CONNECTION_LIMITS, guardConnections } from './connections.server.ts'
import { refuseForgery } from './csrf.server.ts'
import { createDrainableServer, type Others } from './drain/drain.server.ts'
import { nameRequest, securityHeaders } from './headers.server.ts'
import { limitAddresses, limitBodies, limitMethods } from './limits.server.ts'
import { cutTails } from './link-tails.server.ts'
import { watchLoad } from './load.server.ts'
import { createOpening } from './opening.server.ts'
import { operations } from './operations.server.ts'
import { limitRates, type RATES } from './rates.server.ts'
import { logRequests } from './request-log.server.ts'
import { serveFiles } from './static.server.ts'

/** A fast level, with a window large enough for a page. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } }
/** In a shorter response the headers outweigh the body, and compressing costs more than sending. */
const COMPRESSED_FROM = '2kb'

type FrontOptions = {
  config: Pick<Config, 'NODE_ENV' | 'PUBLIC_ORIGIN' | 'TRUSTED_PROXIES' | 'METRICS_TOKEN'> &
    Partial<Pick<Config, 'WEB_TIER'>>
  log: Logger
  files: string | RequestHandler
  mostInFlight?: number
  rates?: typeof RATES
}

type Behind = { site: RequestHandler; isReady(): Promise<boolean> }

export type Front = {
  server: Server
  open(behind: Behind): void
  /** Reports "not ready" from now on, unless others stay. Resolves when all clients are gone, or after `patienceMs`. */
  drain(patienceMs: number, others?: Others): Promise<void>
}

const notOpen: RequestHandler = (req, res) =>
  answerRefusal(req, res, {
    status: 503,
    reason: 'starting',
    detail: 'The service is starting.',
    retryAfter: 2,
  })

export function createFront({ config, log, files, mostInFlight, rates }: FrontOptions): Front {
  let behind: Behind = { site: notOpen, isReady: async () => false }
  let isDraining = false
  const opening = createOpening()
  const origin = () => new URL(config.PUBLIC_ORIGIN)
  const load = watchLoad(log, mostInFlight)
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false)
  trustProxies(app, config.TRUSTED_PROXIES)

  app.use(nameRequest, settleAddress(origin), logRequests(log))
  app.use(
    securityHeaders({
      isHttps: origin().protocol === 'https:',
      isDevelopment: config.NODE_ENV === 'development',
      hasForeignLogos: config.WEB_TIER === true,
    }),
  )
  app.use(
    operations({ ...config, origin }, { isReady: () => behind.isReady(), isDraining: () => isDraining }),
  )
  app.use(limitMethods, limitAddresses, requireEncryption(origin), cutTails)
  app.use(typeof files === 'string' ? serveFiles(files) : files)
  app.use(
    load.count,
    keepPrivate,
    limitRates(rates),
    limitBodies,
    preferPublicName(origin),
    refuseForgery(origin),
  )
  app.use(compression({ brotli: BROTLI, threshold: COMPRESSED_FROM }), bearPublicName(origin))
  app.use(browserReports(log), opening.wait)
  app.use((req, res, next) => {
    res.locals.found = new Map()
    behind.site(req, res, next)
  })
  app.use((req, res) => answerRefusal(req, res, { status: 404, reason: 'not-found', detail: 'Not Found' }))
  app.use(answerFailure(log))

  const { server, drain } = createDrainableServer(CONNECTION_LIMITS, load.guard(app))
  guardConnections(server)
  return {
    server,
    open(site) {
      behind = site
      opening.end()
    },
    async drain(patienceMs, others) {
      isDraining = !others?.stay
      opening.end()
      const unanswered = await drain(patienceMs, others)
      load.close()
      if (unanswered > 0)
        log.warn({ event: 'process.unanswered', unanswered }, 'no time was left to answer some requests')
    },
  }
}

function answerOutage(log: Logger, err: unknown, req: Request, res: Response): void {
  log.error({ err, request_id: res.locals.request_id }, 'the database is away')
  if (res.headersSent) return void res.destroy()
  const detail = 'The service is not available right now.'
  answerRefusal(req, res, { status: 503, reason: 'away', detail, retryAfter: 2 })
}

/** Tells the client only the id under which the log has the failure. */
const answerFailure =
  (log: Logger): ErrorRequestHandler =>
  (err, req, res, _next) => {
    const { request_id, refused } = res.locals
    // The client has its 413 already; this error only stopped the reader of the body.
    if (refused && res.headersSent) return
    if (isOutage(err)) return answerOutage(log, err, req, res)
    log.error({ event: 'request.failed', request_id, method: req.method, err }, 'a request failed')
    if (res.headersSent) return void res.destroy()
    const detail = `Something went wrong (request ${request_id})`
    answerRefusal(req, res, { status: 500, reason: 'failure', detail })
  }

/** The client's address and the site's name. Forwarding headers count only from trusted proxies. */
import type { Express, Request, RequestHandler } from 'express'
import { isLoopback } from '#app/config/encryption.server.ts'
import { ConfigError } from '#app/config.server.ts'
import { answerRefusal, isApi } from './answer.server.ts'

const FORWARDING =
  /^(x-forwarded-|x-original-|x-azure-|x-envoy-|forwarded$|via$|x-real-ip$|x-client-ip$|x-cluster-client-ip$|true-client-ip$|cf-connecting-ip$|fastly-client-ip$)/
/** Paths that scripts and machines may request by any host name. */
const NOT_A_PAGE = /^\/(api|idp|assets|healthz|readyz|metrics|\.well-known|@|node_modules|app)(\/|$)/

/** From `TRUSTED_PROXIES`: addresses, networks, or the words loopback, linklocal, uniquelocal. */
export function trustProxies(app: Express, list: string): void {
  const proxies = list.split(',').map((proxy) => proxy.trim())
  try {
    app.set(
      'trust proxy',
      proxies.filter((proxy) => proxy !== ''),
    )
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`The configuration is wrong:\n  TRUSTED_PROXIES: ${reason}`)
  }
}

/** Finds the client's address, then removes every forwarding header, so that no later code can be misled by one. */
export const settleAddress =
  (origin: () => URL): RequestHandler =>
  (req, res, next) => {
    const peer = req.socket.remoteAddress ?? ''
    const isTrusted: (address: string, hop: number) => boolean = req.app.get('trust proxy fn')
    res.locals.ip = plainAddress(req.ip ?? peer)
    res.locals.isDirectLoopback = isLoopbackAddress(peer) && !isForwarded(req) && isLocalSite(req, origin())
    if (isTrusted(peer, 0)) {
      res.locals.isPlainText = req.get('X-Forwarded-Proto')?.split(',')[0]?.trim().toLowerCase() === 'http'
      adoptRequestId(req, res.locals)
    }
    for (const name of Object.keys(req.headers)) if (FORWARDING.test(name)) delete req.headers[name]
    next()
  }

/** Adopts a trusted proxy's request id, which ties its log to ours. */
function adoptRequestId(req: Request, locals: Record<string, unknown>): void {
  const id = req.get('X-Request-Id')
  if (!id || !/^[\w-]{8,64}$/.test(id)) return
  locals.request_id = id
  req.res?.set('X-Request-Id', id)
}

/** Redirects a person who used another name of this machine to the configured one, where cookies and forms work. */
export const preferPublicName =
  (origin: () => URL): RequestHandler =>
  (req, res, next) => {
    const own = origin()
    const asked = req.headers.host ?? ''
    if (!isPageVisit(req) || asked === own.host || !isOtherLoopbackName(asked, own)) return next()
    res.set('Cache-Control', 'no-store')
    res.redirect(307, `${own.origin}${req.originalUrl}`)
  }

const isPageVisit = (req: Request) =>
  (req.method === 'GET' || req.method === 'HEAD') &&
  (req.get('Sec-Fetch-Mode') ?? 'navigate') === 'navigate' &&
  !NOT_A_PAGE.test(req.path)

function isOtherLoopbackName(asked: string, own: URL): boolean {
  const [, name = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(asked) ?? []
  return port === own.port && isLoopback(name) && isLoopback(own.hostname)
}

/** If a proxy says that a request came unencrypted, pages redirect to https, and calls are refused. */
export const requireEncryption =
  (origin: () => URL): RequestHandler =>
  (req, res, next) => {
    const own = origin()
    if (own.protocol !== 'https:' || !res.locals.isPlainText) return next()
    const isReading = req.method === 'GET' || req.method === 'HEAD'
    if (isReading && !isApi(req.path)) return res.redirect(308, `${own.origin}${req.originalUrl}`)
    answerRefusal(req, res, { status: 403, reason: 'plain-text', detail: `Use ${own.origin}.` })
  }

/** From here on the request has the public host name, whatever name the proxies in front used. */
export const bearPublicName =
  (origin: () => URL): RequestHandler =>
  (req, _res, next) => {
    const own = origin()
    req.headers.host = own.host
    req.headers['x-forwarded-host'] = own.host
    req.headers['x-forwarded-proto'] = own.protocol.slice(0, -1)
    Object.defineProperty(req, 'protocol', { value: own.protocol.slice(0, -1), configurable: true })
    next()
  }

const isForwarded = (req: Request) => Object.keys(req.headers).some((name) => FORWARDING.test(name))
/** A site with a public name has a proxy in front of it, whether or not the proxy says so. */
const isLocalSite = (req: Request, own: URL) =>
  isLoopback(own.hostname) && isLoopback((req.headers.host ?? '').replace(/:\d+$/, ''))
const isLoopbackAddress = (address: string) => /^(127\.|::1$|::ffff:127\.)/.test(address)
const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, '')

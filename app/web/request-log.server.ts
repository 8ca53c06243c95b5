/** One line per request: what was asked, how it went, for whom. Paths only; query strings can name people. */
import type { Request, RequestHandler, Response } from 'express'
import type { Logger } from '#app/integrations/log.server.ts'
import { requestSeconds } from '#app/integrations/metrics.server.ts'

const QUIET = /^\/(healthz|readyz|metrics|assets\/)/
const AREAS = new Set(
  'analytics answers api assets auth error files healthz hooks idp invitation learner lift lljs login logout messages metrics notifications readyz reports settings sponsors-journey subtenants switch tenants testing todo unsubscribe users'.split(
    ' ',
  ),
)

export const logRequests =
  (log: Logger): RequestHandler =>
  (req, res, next) => {
    const start = performance.now()
    const path = loggedPath(req.url)
    res.once('close', () => {
      const ms = performance.now() - start
      const status = res.writableFinished || res.headersSent ? res.statusCode : 499
      requestSeconds.observe({ method: methodLabel(req), area: areaOf(path), status }, ms / 1000)
      const line = {
        event: 'request',
        request_id: res.locals.request_id,
        method: req.method,
        path,
        status,
        ms: Math.round(ms * 10) / 10,
        ip: res.locals.ip,
        ...(res.locals.refused && { refused: res.locals.refused }),
        ...(!res.writableFinished && { aborted: true }),
        ...whoAsked(res),
        ...whatIsWrong(res),
      }
      log[levelOf(status, path, res)](line)
    })
    next()
  }

/** Without the query, and without path segments that work as a secret (the tokens of links). */
const loggedPath = (url: string) =>
  (url.split('?', 1)[0] ?? '').replace(/\/(?![\da-f-]{36}(?:\/|$))[\w.~-]{32,}(?=\/|$)/g, '/…').slice(0, 300)

function levelOf(status: number, path: string, res: Response): 'debug' | 'info' | 'warn' {
  if (QUIET.test(path)) return 'debug'
  return status >= 500 || res.locals.refused ? 'warn' : 'info'
}

function whoAsked(res: Response): { user_id?: number; tenant_id?: string } {
  const found: Map<string, unknown> | undefined = res.locals.found
  const who = found?.get('who') as { user_id?: number; tenant_id?: string } | undefined
  return who ?? {}
}

/** A configuration problem for an administrator: logged here, because the page must not say it. */
function whatIsWrong(res: Response): { problem?: string } {
  const found: Map<string, unknown> | undefined = res.locals.found
  const problem = found?.get('problem')
  return typeof problem === 'string' ? { problem } : {}
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
const methodLabel = ({ method }: Request) => (METHODS.has(method) ? method : 'other')

function areaOf(path: string): string {
  const area = path.split('/', 2)[1]?.replace(/\.data$/, '') ?? ''
  if (area === '' || area === '_root') return 'home'
  return AREAS.has(area) ? area : 'other'
}

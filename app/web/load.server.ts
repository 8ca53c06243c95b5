/** Load shedding: answers a limited number of requests at once and refuses the rest early and cheaply. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import onHeaders from 'on-headers'
import type { Logger } from '#app/integrations/log.server.ts'
import { requestsInFlight, requestsRefused } from '#app/integrations/metrics.server.ts'
import { PLAIN_HEADERS } from './headers.server.ts'

/** About as many as a machine answers in half a second. */
const MAX_IN_FLIGHT = 100
const RETRY_SECONDS = 1
const REPORT_MS = 1000
/** How long a body, of a request or an answer, counts as load. */
const BODY_MS = 500
/** Static files and operators' endpoints are never refused. */
const ALWAYS = /^\/(assets\/|healthz|readyz|metrics)/

const PAGE = answer(
  'text/html; charset=utf-8',
  '<!doctype html><html lang="en"><title>Liftwell is busy</title><h1>Liftwell is busy</h1><p>Please try again in a moment.</p></html>\n',
)
const API = answer(
  'application/json; charset=utf-8',
  JSON.stringify({ has_error: true, status: 503, detail: 'The service is busy, please try again.' }),
)

export type Load = {
  guard(next: RequestListener): RequestListener
  /** Counts a request until its answer has left or is on its way, or its client is gone. */
  count: RequestHandler
  close(): void
}

export function watchLoad(log: Logger, most = MAX_IN_FLIGHT): Load {
  let inFlight = 0
  let refused = 0
  const reporting = setInterval(() => {
    if (refused > 0)
      log.warn({ event: 'overload', refused, in_flight: inFlight }, 'too busy, requests were refused')
    refused = 0
  }, REPORT_MS).unref()

  return {
    guard: (next) => (req, res) => {
      if (inFlight < most || ALWAYS.test(req.url ?? '')) return next(req, res)
      refused += 1
      requestsRefused.inc({ reason: 'busy' })
      refuse(req, res)
    },
    count(req, res, next) {
      let isIn = false
      const set = (to: boolean) => {
        if (isIn === to) return
        isIn = to
        inFlight += to ? 1 : -1
        requestsInFlight.set(inFlight)
      }
      set(true)
      res.once('close', () => set(false))
      // A slow body, in either direction, costs nothing meanwhile and must not keep others out.
      onHeaders(res, () => {
        const leaving = setTimeout(() => set(false), BODY_MS).unref()
        res.once('close', () => clearTimeout(leaving))
      })
      if (hasBody(req)) {
        const waiting = setTimeout(() => set(false), BODY_MS).unref()
        req.once('end', () => {
          clearTimeout(waiting)
          set(!res.closed && !res.headersSent)
        })
      }
      next()
    },
    close: () => clearInterval(reporting),
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Cheap, and possible at any time before the answer has begun. */
export function refuse(req: IncomingMessage, res: ServerResponse): void {
  const { headers, body } = /^\/api\/|\.data(\?|$)/.test(req.url ?? '') ? API : PAGE
  res.writeHead(503, headers).end(body)
}

function answer(type: string, text: string) {
  const body = Buffer.from(text)
  const headers = {
    ...PLAIN_HEADERS,
    'Content-Type': type,
    'Content-Length': body.length,
    'Retry-After': RETRY_SECONDS,
  }
  return { headers, body }
}

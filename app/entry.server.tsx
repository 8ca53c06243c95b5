/** Renders pages, and hands server.ts what the process is made of: it reaches the rooms through the build only. */
import { PassThrough } from 'node:stream'
import {
  type AppLoadContext,
  createReadableStreamFromReadable,
  type EntryContext,
  type HandleErrorFunction,
} from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import { isbot } from 'isbot'
import { renderToPipeableStream } from 'react-dom/server'
import { getConfig } from './config.server.ts'
import { log } from './integrations/log.server.ts'
import { reportFailure } from './integrations/monitoring.server.ts'
import { isOutage } from './integrations/outage.server.ts'
import { startPlatform } from './platform.server.ts'
import { createFront } from './web/front.server.ts'
import { createSite } from './web/site.server.ts'

/** What server.ts makes the process of. */
export const parts = { createFront, createSite, getConfig, log, startPlatform }

/** Milliseconds after which what has not streamed yet is given up; the data stream ends a little earlier. */
const ABORT_DELAY = 6000
export const streamTimeout = 5000

export default function handleDocument(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  headers.set('content-type', 'text/html; charset=utf-8')

  return new Promise((resolve, reject) => {
    let answer = status
    let isSent = false
    const send = () => {
      isSent = true
      const body = new PassThrough()
      body.on('close', () => clearTimeout(timer))
      resolve(new Response(createReadableStreamFromReadable(body), { status: answer, headers }))
      pipe(body)
    }
    const { pipe, abort } = renderToPipeableStream(
      <RemixServer context={remixContext} url={request.url} nonce={context.nonce} abortDelay={ABORT_DELAY} />,
      {
        nonce: context.nonce,
        // Robots and other clients that read no scripts get the page in order and whole.
        [isbot(request.headers.get('user-agent')) ? 'onAllReady' : 'onShellReady']: send,
        onShellError: reject,
        onError(error) {
          answer = 500
          if (isSent) fail(error, request, context)
        },
      },
    )
    const timer = setTimeout(abort, ABORT_DELAY)
    request.signal.addEventListener('abort', () => abort(request.signal.reason), { once: true })
  })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => fail(error, request, context)

function fail(error: unknown, request: Request, context: AppLoadContext): void {
  if (request.signal.aborted) return
  if (isOutage(error)) context.outage = true
  const { request_id } = context
  const path = new URL(request.url).pathname
  if (isRefusal(error)) {
    log.info({ event: 'page.refused', request_id, method: request.method, path, status: error.status })
    return
  }
  log.error({ event: 'page.failed', request_id, method: request.method, path, err: error }, 'a page failed')
  reportFailure(error, { request_id, method: request.method })
}

/** What the router itself refuses: no such address, no such method. */
function isRefusal(error: unknown): error is { status: number } {
  const status = (error as { status?: unknown } | null)?.status
  return typeof status === 'number' && status >= 400 && status < 500
}

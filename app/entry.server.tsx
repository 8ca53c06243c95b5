/** Renders pages, and hands server.ts what the process is made of: it reaches the rooms through the build only. */
import type { AppLoadContext, EntryContext, HandleErrorFunction } from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import { renderToPipeableStream } from 'react-dom/server'
import { callApi } from './api/instance.server.ts'
import { getConfig } from './config.server.ts'
import { log } from './integrations/log.server.ts'
import { reportFailure, reportRejection } from './integrations/monitoring.server.ts'
import { isOutage } from './integrations/outage.server.ts'
import { openLink } from './process/link.server.ts'
import { startPlatform } from './process/platform.server.ts'
import { isPrimary, runPrimary } from './process/primary.server.ts'
import { behindFront } from './web/behind-front.server.ts'
import { createFront } from './web/front.server.ts'
import { createSite } from './web/site.server.ts'
import { wholePage } from './whole-page.server.ts'

/** What server.ts makes the process of. */
export const parts = {
  ...{ behindFront, callApi, createFront, createSite, getConfig, log, reportRejection, startPlatform },
  ...{ isPrimary, openLink, runPrimary },
}

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
    let hasShell = false
    const { pipe, abort } = renderToPipeableStream(
      <RemixServer context={remixContext} url={request.url} nonce={context.nonce} abortDelay={ABORT_DELAY} />,
      {
        nonce: context.nonce,
        onShellReady: () => {
          hasShell = true
        },
        onShellError: reject,
        onAllReady: () => pipe(page),
        onError(error) {
          answer = 500
          if (hasShell) fail(error, request, context)
        },
      },
    )
    const page = wholePage((html) => resolve(new Response(html, { status: answer, headers })))
    const timer = setTimeout(abort, ABORT_DELAY)
    page.on('close', () => clearTimeout(timer))
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
  const who = context.found.get('who') as { user_id: number } | undefined
  reportFailure(error, { request_id, method: request.method, path }, who?.user_id)
}

/** What the router itself refuses: no such address, no such method. */
function isRefusal(error: unknown): error is { status: number } {
  const status = (error as { status?: unknown } | null)?.status
  return typeof status === 'number' && status >= 400 && status < 500
}

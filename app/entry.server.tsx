/** Renders pages, and hands server.ts the parts of the process, which it reaches only through the build. */
import type { AppLoadContext, EntryContext, HandleErrorFunction } from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import { renderToString } from 'react-dom/server'
import { callApi } from './api/instance.server.ts'
import { getConfig } from './config.server.ts'
import { log } from './integrations/log.server.ts'
import { reportFailure, reportRejection } from './integrations/monitoring.server.ts'
import { isOutage } from './integrations/outage.server.ts'
import { openLink } from './process/link.server.ts'
import { startPlatform } from './process/platform.server.ts'
import { isPrimary, runPrimary } from './process/primary.server.ts'
import { readAhead } from './read-ahead.server.ts'
import { behindFront } from './web/behind-front.server.ts'
import { createFront } from './web/front.server.ts'
import { createSite } from './web/site.server.ts'

export const parts = {
  ...{ behindFront, callApi, createFront, createSite, getConfig, log, reportRejection, startPlatform },
  ...{ isPrimary, openLink, runPrimary },
}

export default async function handleDocument(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  headers.set('content-type', 'text/html; charset=utf-8')
  await readAhead(remixContext)
  const html = renderToString(<RemixServer context={remixContext} url={request.url} nonce={context.nonce} />)
  // React writes it into streams only.
  return new Response(Buffer.from(`<!DOCTYPE html>${html}`), { status, headers })
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

/** Refusals by the router itself: no such address, no such method. */
function isRefusal(error: unknown): error is { status: number } {
  const status = (error as { status?: unknown } | null)?.status
  return typeof status === 'number' && status >= 400 && status < 500
}

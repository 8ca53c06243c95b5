/** Every refusal and failure of the API in one shape: `{ has_error, status, detail }`. */
import type { ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { ProviderAwayError, UnauthorizedError } from '#app/auth/principal.ts'
import { Refusal } from '#app/domain/errors.ts'
import { log } from '#app/integrations/log.server.ts'
import { reportFailure } from '#app/integrations/monitoring.server.ts'
import { isOutage } from '#app/integrations/outage.server.ts'
import { isAsStored } from './as-stored.ts'
import type { ApiEnv } from './env.server.ts'

type Problem = { status: number; detail: unknown; headers?: Record<string, string>; current?: unknown }

export function problemResponse({ status, detail, headers, current }: Problem): Response {
  const body = { has_error: true, status, detail, ...(current === undefined ? {} : { current }) }
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}

export const toProblem: ErrorHandler<ApiEnv> = (error, c) => {
  if (error instanceof Refusal) {
    if (isAsStored(c.req.valid('json' as never), error.current)) return c.json(error.current as object, 200)
    const headers = error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) }
    return problemResponse({ status: error.status, detail: error.detail, headers, current: error.current })
  }
  if (error instanceof UnauthorizedError)
    return problemResponse({ status: 401, detail: error.detail, headers: { 'www-authenticate': 'Bearer' } })
  if (error instanceof ProviderAwayError) {
    log.warn({ err: error, request_id: c.env?.request_id }, 'the identity provider is away')
    const detail = 'The sign-in service does not answer right now, please try again.'
    return problemResponse({ status: 503, detail, headers: { 'retry-after': '5' } })
  }
  if (error instanceof HTTPException) return problemResponse({ status: error.status, detail: error.message })
  if (isOutage(error)) {
    log.error({ err: error, request_id: c.env?.request_id }, 'the database, or a store of files, is away')
    const detail = 'The service is not available right now, please try again.'
    return problemResponse({ status: 503, detail, headers: { 'retry-after': '2' } })
  }
  log.error({ err: error, request_id: c.env?.request_id }, 'a call of the API failed')
  reportFailure(error, { method: c.req.method, path: c.req.routePath })
  return problemResponse({ status: 500, detail: 'Something went wrong' })
}

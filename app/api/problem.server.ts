/** Every refusal and failure of the API in one shape: `{ has_error, status, detail }`. */
import { HTTPException } from 'hono/http-exception'
import { ProviderAwayError, UnauthorizedError } from '#app/auth/principal.ts'
import { Refusal } from '#app/domain/errors.ts'
import { log } from '#app/integrations/log.server.ts'
import { reportFailure } from '#app/integrations/monitoring.server.ts'
import { isOutage, isTooSlow } from '#app/integrations/outage.server.ts'

type Problem = { status: number; detail: unknown; headers?: Record<string, string>; current?: unknown }
type Made = { method: string; path: string; request_id?: string | undefined; user?: number | undefined }

export function problemResponse({ status, detail, headers, current }: Problem): Response {
  const body = { has_error: true, status, detail, ...(current === undefined ? {} : { current }) }
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}

export function problemOf(error: unknown, { method, path, request_id, user }: Made): Response {
  if (error instanceof Refusal) {
    const headers = error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) }
    return problemResponse({ status: error.status, detail: error.detail, headers, current: error.current })
  }
  if (error instanceof UnauthorizedError)
    return problemResponse({ status: 401, detail: error.detail, headers: { 'www-authenticate': 'Bearer' } })
  if (error instanceof ProviderAwayError) {
    log.warn({ err: error, request_id }, 'the identity provider is away')
    const detail = 'The sign-in service does not answer right now, please try again.'
    return problemResponse({ status: 503, detail, headers: { 'retry-after': '5' } })
  }
  if (error instanceof HTTPException) return problemResponse({ status: error.status, detail: error.message })
  if (isTooLarge(error)) return problemResponse({ status: 413, detail: error.message })
  if (isTooSlow(error)) {
    log.error({ event: 'statement.ended', err: error, request_id }, 'a statement took too long')
    const detail = 'This took too long. Please try again in a moment, or ask for less.'
    return problemResponse({ status: 503, detail, headers: { 'retry-after': '5' } })
  }
  if (isOutage(error)) {
    log.error({ err: error, request_id }, 'the database, or a store of files, is away')
    const detail = 'The service is not available right now, please try again.'
    return problemResponse({ status: 503, detail, headers: { 'retry-after': '2' } })
  }
  log.error({ err: error, request_id }, 'a call of the API failed')
  reportFailure(error, { method, path, ...(request_id && { request_id }) }, user)
  return problemResponse({ status: 500, detail: 'Something went wrong' })
}

/** A streamed body that exceeded its limit (web/limits): an error of the sender. */
const isTooLarge = (error: unknown): error is Error & { status: 413 } =>
  error instanceof Error && 'status' in error && error.status === 413

/** Every refusal and failure of the API in one shape: `{ has_error, status, detail }`. */
import type { ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { ProviderAwayError, UnauthorizedError } from '#app/auth/principal.ts'
import { Refusal } from '#app/domain/errors.ts'
import { log } from '#app/integrations/log.server.ts'
import type { ApiEnv } from './env.server.ts'

type Problem = { status: number; detail: unknown; headers?: Record<string, string>; current?: unknown }

/** SQLSTATE classes and codes of a database that is away or overrun, not of a mistake of ours. */
const UNAVAILABLE = /^(08|53|57P|ECONN|EPIPE|ENOENT|ETIMEDOUT)/

export function problemResponse({ status, detail, headers, current }: Problem): Response {
  const body = { has_error: true, status, detail, ...(current === undefined ? {} : { current }) }
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}

export const toProblem: ErrorHandler<ApiEnv> = (error, c) => {
  if (error instanceof Refusal) {
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
  if (isUnavailable(error)) {
    log.error({ err: error, request_id: c.env?.request_id }, 'the database is away')
    const detail = 'The service is not available right now, please try again.'
    return problemResponse({ status: 503, detail, headers: { 'retry-after': '2' } })
  }
  log.error({ err: error, request_id: c.env?.request_id }, 'a call of the API failed')
  return problemResponse({ status: 500, detail: 'Something went wrong' })
}

function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && UNAVAILABLE.test(code)) return true
  return (
    typeof message === 'string' &&
    /timeout exceeded when trying to connect|Connection terminated/.test(message)
  )
}

/**
 * The API as one visitor may use it: the token and the three tenant headers of the cookie session.
 * In process it skips HTTP, not the contract; with API_BASE_URL set it is HTTP.
 */
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Principal } from '#app/auth/principal.ts'
import { getConfig } from '#app/config.server.ts'
import { callApi } from './instance.server.ts'
import type { ApiPath } from './path.ts'

export type Credentials = {
  token: string
  principal: Principal
  has_second_factor?: boolean
  tenant_id: string
  impersonate_tenant_id?: string | null
  sub_tenant_id?: string | null
  signal?: AbortSignal
  ip?: string
  request_id?: string
  /** What the request finds out, for all of it. */
  found?: Map<string, unknown>
}

type Query = Record<string, string | number | boolean | readonly (string | number)[] | null | undefined>
type WriteOptions = { idempotencyKey?: string | undefined; range?: string | undefined }

/** Who has waited longer for a failure does not wait as long again. */
const AT_ONCE_MS = 1_000

export type ApiClient = ReturnType<typeof createApiClient>

export function createApiClient(credentials: Credentials) {
  const call = (method: string, path: string, body?: unknown, options: WriteOptions = {}) =>
    send(
      buildRequest(credentials, method, path, body, withKey(credentials, method, path, body, options)),
      credentials,
    ).then((answer) => {
      const after = answer.headers.get('retry-after')
      if (answer.status === 429 && after) credentials.found?.set('retry_after', after)
      return answer
    })

  async function read<T, P extends string>(
    path: P & ApiPath<P>,
    schema: z.ZodType<T>,
    query?: Query,
  ): Promise<T> {
    const address = path + queryString(query)
    const began = Date.now()
    let answer = await call('GET', address)
    // A read that failed or was refused (403) at once is tried once more; a write never.
    const isAtOnce = Date.now() - began < AT_ONCE_MS
    if (isAtOnce && (answer.status >= 500 || answer.status === 403)) answer = await call('GET', address)
    return parse(answer, schema)
  }

  async function write(method: string, path: string, body?: unknown, options?: WriteOptions) {
    return requireSuccess(await call(method, path, body ?? {}, options))
  }

  return {
    get: read,
    /** The bytes as the API answers them: files, exports. */
    getRaw: async <P extends string>(
      path: P & ApiPath<P>,
      query?: Query,
      { range }: { range?: string } = {},
    ) => requireSuccess(await call('GET', path + queryString(query), undefined, { range })),
    post: async <P extends string, T = unknown>(
      path: P & ApiPath<P>,
      body?: unknown,
      schema?: z.ZodType<T>,
      options?: WriteOptions,
    ) => parse(await write('POST', path, body, options), schema),
    put: async <P extends string, T = unknown>(path: P & ApiPath<P>, body: unknown, schema?: z.ZodType<T>) =>
      parse(await write('PUT', path, body), schema),
    patch: async <P extends string, T = unknown>(
      path: P & ApiPath<P>,
      body: unknown,
      schema?: z.ZodType<T>,
    ) => parse(await write('PATCH', path, body), schema),
    delete: async <P extends string>(path: P & ApiPath<P>, query?: Query) => {
      await requireSuccess(await call('DELETE', path + queryString(query)))
    },
  }
}

/** Calls whose answer holds nothing that is not to be kept, and whose repeat would make a second one. */
const MAKING =
  /^\/(lljs(\/import|\/\d+\/(lifts|duplicate|learning_objectives|assessments))?|lifts\/\d+\/prompts)$/

/** A form that is sent twice makes one thing; the same page with other words makes another. */
function withKey(
  { found }: Credentials,
  method: string,
  path: string,
  body: unknown,
  options: WriteOptions,
): WriteOptions {
  const key = found?.get('form_key')
  if (!key || method !== 'POST' || options.idempotencyKey || !MAKING.test(path)) return options
  const what = createHash('sha256')
    .update(`${path}\n${JSON.stringify(body)}`)
    .digest('base64url')
  return { ...options, idempotencyKey: `${key} ${what}` }
}

function buildRequest(
  who: Credentials,
  method: string,
  path: string,
  body: unknown,
  options: WriteOptions,
): Request {
  if (!who.token) throw new Error('Token not found')
  const headers = new Headers({ authorization: `Bearer ${who.token}`, 'x-tenant-id': who.tenant_id })
  if (who.impersonate_tenant_id) headers.set('x-impersonate-tenant-id', who.impersonate_tenant_id)
  if (who.sub_tenant_id) headers.set('x-sub-tenant-id', who.sub_tenant_id)
  if (options.range) headers.set('range', options.range)
  if (options.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey)
  const init: RequestInit = { method, headers, signal: who.signal ?? null }
  // Form data passes through, with the boundary that it sets itself.
  if (body instanceof FormData) init.body = body
  else if (body !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(body)
  }
  const base = getConfig().API_BASE_URL ?? 'http://api.internal'
  return new Request(`${base.replace(/\/$/, '')}/api/v1${path}`, init)
}

async function send(request: Request, who: Credentials): Promise<Response> {
  if (!getConfig().API_BASE_URL) {
    const { token, principal, has_second_factor = false, ip, request_id } = who
    return callApi(request, {
      caller: { token, principal, has_second_factor },
      ...(ip && { ip }),
      ...(request_id && { request_id }),
    })
  }
  try {
    return await fetch(request, { redirect: 'error' })
  } catch (error) {
    if (request.signal.aborted) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Network Error: ${reason}`, { cause: 'There was an error with the request.' })
  }
}

/** Refusals (4xx) are thrown as the API's own Response, failures as an Error with its detail. */
async function requireSuccess(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  if (answer.status < 500) throw answer
  const { detail } = (await answer.json().catch(() => ({}))) as { detail?: unknown }
  throw new Error(detailText(detail) ?? `API Error: HTTP ${answer.status}`, {
    cause: { status: answer.status },
  })
}

function detailText(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail
  return detail === undefined ? undefined : JSON.stringify(detail)
}

async function parse<T>(answer: Response, schema?: z.ZodType<T>): Promise<T> {
  const body: unknown = await (await requireSuccess(answer)).json()
  return schema ? schema.parse(body) : (body as T)
}

function queryString(query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one))
  }
  return search.size > 0 ? `?${search}` : ''
}

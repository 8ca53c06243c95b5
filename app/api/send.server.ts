/** A call over HTTP, to the API of another server. */
import type { Principal } from '#app/auth/principal.ts'
import { getConfig } from '#app/config.server.ts'
import type { InScope } from '#app/domain/scope/shared-reads.server.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import type { Call } from './contract/call.ts'

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
  found?: Map<string, unknown>
  /** Set when another server keeps the accounts: its answer about the current user, and the id of their tenant. */
  user?: CurrentUser | undefined
  place_id?: string
  reads?: InScope
}

export type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined
/** `isFramed`: the frame of a page also shows the newest notifications. */
export type Options = {
  idempotencyKey?: string | undefined
  range?: string | undefined
  isFramed?: boolean
}

export type Made = {
  call: Call
  ids: Record<string, unknown>
  query: Record<string, QueryValue>
  body: unknown
  options: Options
}

export async function send(made: Made, who: Credentials): Promise<Response> {
  const request = buildRequest(made, who)
  try {
    return await fetch(request, { redirect: 'error' })
  } catch (error) {
    if (request.signal.aborted) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Network Error: ${reason}`, { cause: 'There was an error with the request.' })
  }
}

function buildRequest(made: Made, who: Credentials): Request {
  if (!who.token) throw new Error('Token not found')
  const { call, options } = made
  const headers = new Headers({ authorization: `Bearer ${who.token}`, 'x-tenant-id': who.tenant_id })
  if (who.impersonate_tenant_id) headers.set('x-impersonate-tenant-id', who.impersonate_tenant_id)
  if (who.sub_tenant_id) headers.set('x-sub-tenant-id', who.sub_tenant_id)
  if (options.range) headers.set('range', options.range)
  if (options.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey)
  const init: RequestInit = { method: call.method, headers, signal: who.signal ?? null }
  if (call.form) init.body = toForm(made.body as Record<string, unknown>)
  else if (call.method !== 'GET' && call.method !== 'DELETE') {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(made.body ?? {})
  }
  return new Request(`${(getConfig().API_BASE_URL ?? '').replace(/\/$/, '')}/api/v1${addressOf(made)}`, init)
}

/** Ids are encoded, so that none can add a path segment; `.` and `..` would climb, and are a 404. */
function addressOf({ call, ids, query }: Made): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_hole, name: string) => {
    const id = String(ids[name] ?? '')
    if (id === '' || id === '.' || id === '..') throw new Response('Not Found', { status: 404 })
    return encodeURIComponent(id)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one))
  return search.size > 0 ? `${path}?${search}` : path
}

function toForm(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.set(name, value)
    else if (value !== undefined) form.set(name, String(value))
  }
  return form
}

/** The only way to call another server: refusals, failures and timeouts are all thrown as one kind of Response. */
import { getConfig } from '#app/config.server.ts'
import { log } from '#app/integrations/log.server.ts'
import { reportFailure } from '#app/integrations/monitoring.server.ts'
import { type Id, idOut } from './ids.server.ts'
import { readJson, writeJson } from './json.server.ts'
import { text, thing, whole } from './read.server.ts'
import { readText } from './read-text.server.ts'

export type Asking = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Each part is one id or word, percent-encoded whatever it contains. */
  path: readonly Id[]
  query?: Readonly<Record<string, string | number | boolean | null | undefined>>
  body?: unknown
}

export type Who = {
  token: string
  tenant_id: string | null
  impersonate_tenant_id?: string | null | undefined
  sub_tenant_id?: string | null | undefined
  signal?: AbortSignal | undefined
}

const PATIENCE_MS = 8_000
/** A read that failed more slowly than this is not tried again. */
const AT_ONCE_MS = 1_000
const UNREACHABLE = 'There was an error with the request.'

/** Throws a Response of ours, `{ has_error, status, detail }`, for everything but a successful answer. */
export async function askServer(asking: Asking, who: Who | null): Promise<unknown> {
  const began = performance.now()
  try {
    return await askOnce(asking, who)
  } catch (error) {
    // A read that quickly failed or was refused (403) is tried once more; a write never.
    const isAgain = error instanceof Response && (error.status >= 500 || error.status === 403)
    if (!isAgain || asking.method !== 'GET' || performance.now() - began > AT_ONCE_MS) throw error
    return askOnce(asking, who)
  }
}

async function askOnce(asking: Asking, who: Who | null): Promise<unknown> {
  const patience = AbortSignal.timeout(PATIENCE_MS)
  // Only reads are aborted when the visitor leaves: a write that has begun must finish.
  const leaving = asking.method === 'GET' ? who?.signal : undefined
  const signal = leaving ? AbortSignal.any([leaving, patience]) : patience
  let answer: Response
  let sent: string
  try {
    answer = await fetch(requestOf(asking, who), { redirect: 'manual', signal })
    sent = await readText(answer)
  } catch (error) {
    if (error instanceof Response || leaving?.aborted) throw error
    throw unreachable(asking, patience.aborted ? 'it took too long' : whyOf(error))
  }
  const said = jsonOf(sent)
  const status = whole(thing(said).has_error === true ? thing(said).status : null) ?? answer.status
  if (answer.ok && said !== NOT_JSON && thing(said).has_error !== true) return said
  throw refusal(asking, status, said, answer.headers.get('retry-after'))
}

function requestOf({ method, path, query, body }: Asking, who: Who | null): Request {
  const { API_BASE_URL } = getConfig()
  if (!API_BASE_URL) throw new Error('There is no API_BASE_URL.')
  const headers = new Headers({ accept: 'application/json' })
  if (who) {
    if (!who.token) throw new Error('Token not found')
    headers.set('authorization', `Bearer ${who.token}`)
    const places = {
      'x-tenant-id': who.tenant_id,
      'x-impersonate-tenant-id': who.impersonate_tenant_id,
      'x-sub-tenant-id': who.sub_tenant_id,
    }
    for (const [name, id] of Object.entries(places)) if (id) headers.set(name, utf8(idOut(id)))
  }
  const carries = method !== 'GET' && method !== 'DELETE'
  if (carries) headers.set('content-type', 'application/json')
  const parts = path.map((part) => partOf(idOut(part))).join('/')
  return new Request(`${baseOf(API_BASE_URL)}/${parts}${searchOf(query ?? {})}`, {
    method,
    headers,
    ...(carries ? { body: writeJson(body ?? {}) } : {}),
  })
}

/** Letters beyond Latin-1 can only be sent in a header as UTF-8 bytes. */
const utf8 = (id: Id): string => Buffer.from(String(id)).toString('latin1')

/** An address without a path gets the path of the first version; a given path stays as it is. */
function baseOf(address: string): string {
  const { origin, pathname } = new URL(address)
  return pathname === '/' ? `${origin}/api/v1` : `${origin}${pathname.replace(/\/+$/, '')}`
}

/** An empty or dot segment would leave the path. */
function partOf(id: Id): string {
  const part = String(id)
  if (part === '' || part === '.' || part === '..') throw problem(404, 'Not Found')
  return encodeURIComponent(part)
}

function searchOf(query: NonNullable<Asking['query']>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

const NOT_JSON = Symbol('not JSON')

function jsonOf(sent: string): unknown {
  if (sent.trim() === '') return null
  try {
    return readJson(sent)
  } catch {
    return NOT_JSON
  }
}

export function problem(status: number, detail: unknown, headers: Record<string, string> = {}): Response {
  return Response.json({ has_error: true, status, detail }, { status, headers })
}

/** Refusals are for the visitor to read; everything else is a failure, and reported. */
function refusal({ method, path }: Asking, given: number, said: unknown, retryAfter: string | null) {
  const status = given >= 400 && given <= 599 ? given : 502
  const detail = said === NOT_JSON ? null : thing(said).detail
  const message = text(detail) ?? (detail ? writeJson(detail) : `API Error: HTTP ${given}`)
  if (status > 404) tell(message, { method, path: namesIn(path), status: given })
  const answer = problem(status, fieldsIn(detail) ?? message, retryAfter ? { 'retry-after': retryAfter } : {})
  if (!detail && thing(said).has_error !== true) wordless.set(answer, given)
  return answer
}

const wordless = new WeakMap<Response, number>()

/** Whether a gateway answered instead of the API: a page, or a refusal without the specification's words. */
export function isOfGateway(error: Response): boolean {
  const given = wordless.get(error)
  return given !== undefined && (given <= 400 || given === 403)
}

function unreachable({ method, path }: Asking, why: string): Response {
  tell(`Network Error: ${why}`, { method, path: namesIn(path), status: 0 })
  return problem(503, UNREACHABLE)
}

/** A successful answer without the data its call is for. */
export function unreadable({ method, path }: Asking): Response {
  tell('API Error: unreadable', { method, path: namesIn(path), status: 200 })
  return problem(502, UNREACHABLE)
}

function tell(message: string, about: { method: string; path: string; status: number }) {
  log.error({ event: 'server.failed', ...about, problem: message }, 'the server behind the screens failed')
  reportFailure(new Error(message), about)
}

const namesIn = (path: readonly Id[]): string =>
  path.map((part) => (/^[a-z_-]+$/.test(String(part)) ? part : '*')).join('/')

/** The error of each field, if the detail is by field. */
function fieldsIn(detail: unknown): Record<string, string[]> | null {
  const fields = Object.entries(thing(detail)).map(([name, why]): [string, string[]] => [
    name,
    [why].flat().filter((one): one is string => typeof one === 'string'),
  ])
  return fields.length > 0 && fields.every(([, why]) => why.length > 0) ? Object.fromEntries(fields) : null
}

function whyOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error && cause.message ? cause.message : message
}

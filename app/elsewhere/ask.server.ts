/** The one way to another server: what it refuses, breaks or never answers is thrown as one kind of answer. */
import { getConfig } from '#app/config.server.ts'
import { log } from '#app/integrations/log.server.ts'
import { reportFailure } from '#app/integrations/monitoring.server.ts'
import { type Id, idOut } from './ids.server.ts'
import { readJson, writeJson } from './json.server.ts'
import { text, thing, whole } from './read.server.ts'
import { readText } from './read-text.server.ts'

export type Asking = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Of the parts between slashes each is one id or word, whatever stands in it. */
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
/** Who has waited longer for a failure does not wait as long again. */
const AT_ONCE_MS = 1_000
const UNREACHABLE = 'There was an error with the request.'

/** Throws a Response of ours, `{ has_error, status, detail }`, for everything but an answer that was given. */
export async function askServer(asking: Asking, who: Who | null): Promise<unknown> {
  const began = performance.now()
  try {
    return await askOnce(asking, who)
  } catch (error) {
    // A read that failed or was refused (403) at once is tried once more; a write never.
    const isAgain = error instanceof Response && (error.status >= 500 || error.status === 403)
    if (!isAgain || asking.method !== 'GET' || performance.now() - began > AT_ONCE_MS) throw error
    return askOnce(asking, who)
  }
}

async function askOnce(asking: Asking, who: Who | null): Promise<unknown> {
  const patience = AbortSignal.timeout(PATIENCE_MS)
  // What is begun is ended: whoever presses twice leaves the first time.
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

/** A header carries letters beyond Latin-1 as UTF-8 only. */
const utf8 = (id: Id): string => Buffer.from(String(id)).toString('latin1')

/** An address without a path gets that of the first version; one with a path is taken at its word. */
function baseOf(address: string): string {
  const { origin, pathname } = new URL(address)
  return pathname === '/' ? `${origin}/api/v1` : `${origin}${pathname.replace(/\/+$/, '')}`
}

/** One that would climb is no part of any path. */
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

/** Refusals are the visitor's to read; everything else is somebody's to mend, and reported. */
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

/** A page, or the refusal of a gateway, stands where an answer in the words of the specification would. */
export function isOfGateway(error: Response): boolean {
  const given = wordless.get(error)
  return given !== undefined && (given <= 400 || given === 403)
}

function unreachable({ method, path }: Asking, why: string): Response {
  tell(`Network Error: ${why}`, { method, path: namesIn(path), status: 0 })
  return problem(503, UNREACHABLE)
}

/** An answer that was given, and does not say what its call is for. */
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

/** What is wrong with each field, where that is what it says. */
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

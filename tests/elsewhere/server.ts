/** Another platform's server, written from section 7 of the specification alone: it refuses everything else. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { answer } from './answers.ts'
import { type Found, findRule, strangeHeaders } from './rules.ts'
import { type Kind, makeWorld, type World } from './world.ts'

/** A deliberate failure of a call. */
export type Fault =
  | { status: number; body?: string; type?: string; headers?: Record<string, string> }
  | 'cut'
  | 'silence'
  /** A correct, but late answer. */
  | 'slow'

export type Elsewhere = {
  readonly origin: string
  world: World
  /** Requests that do not follow section 7. */
  readonly broken: string[]
  readonly calls: string[]
  /** The answer of GET /users/pool. */
  pool: unknown
  /** By method and path, with `*` for an id. */
  readonly faults: Map<string, Fault>
  /** The answer to calls that the server does not have. */
  unknown: Exclude<Fault, 'slow'>
  close(): Promise<void>
}

type Asked = { url: URL; body: string; name: string }

const BASE = '/api/v1'
export const NO_SUCH_CALL = { status: 404, body: '{"has_error":true,"status":404,"detail":"No such call"}' }

export async function startElsewhere(kind: Kind): Promise<Elsewhere> {
  const http = createServer(
    (req, res) => void take(req, res).catch((error) => refuse(res, 500, String(error))),
  )
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const server: Elsewhere = {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    world: makeWorld(kind),
    broken: [],
    calls: [],
    pool: null,
    faults: new Map(),
    unknown: NO_SUCH_CALL,
    async close() {
      http.closeAllConnections()
      await new Promise((done) => http.close(done))
    },
  }

  async function take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', server.origin)
    const path = url.pathname.startsWith(BASE) ? url.pathname.slice(BASE.length) : ''
    const found = findRule(req.method ?? '', path)
    const body = await bytesOf(req)
    if (!found) return fail(req, res, server.unknown)
    const name = `${req.method} ${found.rule.path.replaceAll('{}', '*')}`
    server.calls.push(name)
    const fault = server.faults.get(name)
    if (fault === 'slow') await setTimeout(300)
    else if (fault) return fail(req, res, fault)
    const wrong = whyWrong(found, req, url, body)
    if (wrong) {
      server.broken.push(`${name}: ${wrong}`)
      return refuse(res, 400, wrong)
    }
    if (found.rule.isOpen) return tell(res, 200, server.pool)
    serve(req, res, found, { url, body, name })
  }

  function serve(req: IncomingMessage, res: ServerResponse, found: Found, asked: Asked): void {
    const person = server.world.people.find(({ sub }) => sub === subjectOf(req))
    if (!person) return void refuse(res, 401, 'Who is this?')
    const misplaced = whyMisplaced(server.world, person, req)
    if (misplaced) {
      server.broken.push(`${asked.name}: ${misplaced}`)
      return void refuse(res, 403, misplaced)
    }
    const told = answer(server.world, {
      ...found,
      person,
      query: Object.fromEntries(asked.url.searchParams),
      body: asked.body === '' ? {} : JSON.parse(asked.body),
      headers: utf8Of(req.headers),
    })
    tell(res, told.status, told.body)
  }
  return server
}

/** Null if the request follows the specification. */
function whyWrong({ rule }: Found, req: IncomingMessage, url: URL, body: string): string | null {
  const strange = strangeHeaders(req.headers)
  if (strange.length > 0) return `the headers ${strange.join(', ')} are unknown`
  const names = [...url.searchParams.keys()]
  if (new Set(names).size < names.length) return 'a parameter comes twice'
  const query = Object.fromEntries(url.searchParams)
  if (rule.query ? !rule.query.safeParse(query).success : names.length > 0)
    return `the query ${url.search} is not one of this call`
  if (req.method === 'GET' || req.method === 'DELETE') return body === '' ? null : 'there is a body'
  if (!/^application\/json/.test(req.headers['content-type'] ?? '')) return 'the body is no JSON'
  const parsed = rule.body?.safeParse(JSON.parse(body))
  return parsed && !parsed.success ? `the body ${body.slice(0, 200)}: ${parsed.error.message}` : null
}

/** The tenant has to be the person's own; only super admins enter others. */
function whyMisplaced({ tenants }: World, person: Record<string, unknown>, req: IncomingMessage) {
  const headers = utf8Of(req.headers)
  const home = String((person.tenant as { id: unknown }).id)
  const own = headers['x-tenant-id']
  const inside = headers['x-impersonate-tenant-id']
  const part = headers['x-sub-tenant-id']
  if (own !== home) return `X-Tenant-Id is ${own}, not ${home}`
  if (inside !== undefined && !person.is_super_admin) return 'X-Impersonate-Tenant-Id is for super admins'
  const tenant = tenants.find(({ id }) => String(id) === (inside ?? home))
  if (!tenant) return 'there is no such tenant'
  const isThere = tenant.sub_tenants?.some(({ id }) => String(id) === part)
  return part === undefined || isThere ? null : `X-Sub-Tenant-Id is ${part}`
}

function subjectOf({ headers }: IncomingMessage): string | undefined {
  try {
    return decodeJwt((headers.authorization ?? '').replace(/^Bearer /, '')).sub
  } catch {
    return undefined
  }
}

/** Ids are sent as UTF-8, which node reads as Latin-1. */
const utf8Of = (headers: IncomingMessage['headers']): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(String(value), 'latin1').toString()]),
  )

function fail(req: IncomingMessage, res: ServerResponse, fault: Exclude<Fault, 'slow'>): void {
  if (fault === 'silence') return
  if (fault === 'cut') {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 }).write('{"data":')
    return void setTimeout(20).then(() => req.socket.destroy())
  }
  const { status, body = '', type = 'application/json', headers = {} } = fault
  res.writeHead(status, { 'content-type': type, ...headers }).end(body)
}

function tell(res: ServerResponse, status: number, body: unknown): void {
  if (status === 204 || body === undefined) return void res.writeHead(status).end()
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const refuse = (res: ServerResponse, status: number, detail: string) =>
  tell(res, status, { has_error: true, status, detail })

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

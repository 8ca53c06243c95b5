/** A proxy in front of the API over HTTP, in which a test decides which calls fail, and when. */
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

export type Fault = { status: 403 | 404 | 503; afterMs: number }

export type FailingApi = {
  readonly origin: string
  /** Where calls that do not fail are forwarded. */
  target: string
  /** Faults by token; calls without an entry are forwarded. */
  readonly faults: Map<string, (call: string) => Fault | undefined>
  /** Calls by token: method and path, without the query. */
  readonly calls: Map<string, Set<string>>
  /** Once true, repeated reads get their first answer, so that only the screens do work. */
  repeats: boolean
  close(): Promise<void>
}

type Kept = { headers: IncomingHttpHeaders; body: Buffer }

export async function startFailingApi(): Promise<FailingApi> {
  const server = createServer((req, res) => void answer(req, res).catch(() => res.destroy()))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const agent = new Agent({ keepAlive: true })
  const api: FailingApi = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    faults: new Map(),
    calls: new Map(),
    repeats: false,
    async close() {
      server.closeAllConnections()
      agent.destroy()
      await new Promise((done) => server.close(done))
    },
  }

  const kept = new Map<string, Kept>()
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const token = req.headers.authorization ?? ''
    const call = `${req.method} ${(req.url ?? '').split('?')[0]}`
    api.calls.set(token, (api.calls.get(token) ?? new Set()).add(call))
    const fault = api.faults.get(token)?.(call)
    if (fault) return fail(res, fault)
    const { url = '/', method } = req
    const { host: _host, ...headers } = req.headers
    const key = [token, headers['x-tenant-id'], headers['x-sub-tenant-id'], call, url].join(' ')
    const known = api.repeats && method === 'GET' ? kept.get(key) : undefined
    if (known) return void res.writeHead(200, known.headers).end(known.body)
    // Asks for an uncompressed answer, which would only have to be unpacked here.
    const options = { agent, method, headers: { ...headers, 'accept-encoding': 'identity' } }
    const onward = request(new URL(url, api.target), options)
    onward.once('error', () => res.destroy())
    onward.once('response', async (passed) => {
      const body = await buffer(passed).catch(() => null)
      if (!body) return res.destroy()
      if (passed.statusCode === 200) kept.set(key, { headers: passed.headers, body })
      res.writeHead(passed.statusCode ?? 502, passed.headers).end(body)
    })
    req.pipe(onward)
  }
  return api
}

async function fail(res: ServerResponse, { status, afterMs }: Fault): Promise<void> {
  await sleep(afterMs)
  const body = JSON.stringify({ has_error: true, status, detail: 'This call fails.' })
  res.writeHead(status, { 'content-type': 'application/json', 'retry-after': '2' }).end(body)
}

import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Call } from '#app/api/contract/call.ts'
import { deleteJourney, getJourney } from '#app/api/contract/journeys.ts'

let received = ''
/** The answers to HTTP calls: a number is a status, `cut` closes the connection. */
const answers: (number | 'cut')[] = []
let server: Server
beforeAll(async () => {
  server = createServer((req, res) => {
    if (req.url?.startsWith('/api/v1/lljs')) return answerCall(res)
    const chunks: Buffer[] = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => {
      const body = Buffer.concat(chunks)
      received += req.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
      res.end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  vi.stubEnv('SENTRY_DSN', `http://key@${host}/1`)
  vi.stubEnv('API_BASE_URL', `http://${host}`)
  vi.stubEnv('APP_SECRET', 'monitoring-'.repeat(4))
  for (const name of ['DATABASE_URL', 'DATABASE_WORKER_URL', 'DATABASE_IDENTITY_URL'])
    vi.stubEnv(name, 'postgres://nobody@127.0.0.1:1/none')
})

function answerCall(res: ServerResponse): void {
  const status = answers.shift() ?? 'cut'
  if (status === 'cut') return void res.destroy()
  res.writeHead(status, { 'content-type': 'application/json' })
  res.end(JSON.stringify({ has_error: true, status, detail: 'canary detail of Ida' }))
}
afterAll(() => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  server.close()
})

it('reports failures with request ID and user but without secrets, and no refusals', async () => {
  const { reportFailure } = await import('#app/integrations/monitoring.server.ts')
  for (const status of [400, 401, 402, 403, 404])
    reportFailure(Object.assign(new Error(`refusal ${status}`), { status }))
  reportFailure(new Error('canary failure of lena.canary@example.com, token=canary-token'), {
    request_id: 'r-1',
  })
  const { problemOf } = await import('#app/api/problem.server.ts')
  const asked = { method: 'GET', path: '/api/v1/mail_stops/canary-link', request_id: 'r-2', user: 4711 }
  expect(problemOf(new Error('canary call'), asked).status).toBe(500)
  reportFailure(Object.assign(new Error('canary gateway'), { status: 502 }))

  // Reports are sent separately, so they can arrive in any order.
  for (const part of ['canary gateway', 'canary failure of', '"request_id":"r-1"', '"request_id":"r-2"'])
    await expect.poll(() => received, { timeout: 10_000 }).toContain(part)
  expect(received).toContain('"user":{"id":4711}')
  expect(received).not.toMatch(/lena\.canary|canary-token|canary-link|refusal 40/)
})

/** Makes the call with these answers; returns how it ended, and how many answers were left. */
async function calling(call: Call, ...given: typeof answers): Promise<[string, number]> {
  const { createApiClient } = await import('#app/api/client.server.ts')
  answers.splice(0, answers.length, ...given)
  const api = createApiClient({ token: 't', principal: { user_id: 4712 } as never, tenant_id: 'none' })
  const end = await (api as (call: Call, ids: object) => Promise<unknown>)(call, { id: 8_151_623 }).then(
    () => 'answered',
    (thrown: Error | Response) => (thrown instanceof Response ? String(thrown.status) : thrown.message),
  )
  return [end, answers.length]
}

it('reports refusals by another server’s API, except 400 to 404, by path and status, without text', async () => {
  for (const status of [400, 401, 402, 404])
    expect(await calling(getJourney, status)).toEqual([`${status}`, 0])
  expect(await calling(deleteJourney, 409)).toEqual(['409', 0])
  await expect.poll(() => received, { timeout: 10_000 }).toContain('API Error: HTTP 409')
  expect(received).toMatch(/"path":"\/lljs\/\{id\}"/)
  expect(received).toMatch(/"status":409/)
  expect(received).toContain('"user":{"id":4712}')
  expect(received).not.toMatch(/canary detail|API Error: HTTP 40[0-4]/)
})

it('repeats a read once if its connection broke, and never repeats a write', async () => {
  expect(await calling(getJourney, 'cut', 404, 404)).toEqual(['404', 1])
  expect(await calling(getJourney, 'cut', 'cut', 404)).toEqual([expect.stringMatching(/^Network Error: /), 1])
  expect(await calling(getJourney, 'cut', 503, 404)).toEqual([expect.stringMatching(/canary detail/), 1])
  expect(await calling(deleteJourney, 'cut', 404)).toEqual([expect.stringMatching(/^Network Error: /), 1])
})

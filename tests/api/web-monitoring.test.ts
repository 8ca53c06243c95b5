import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

let received = ''
let server: Server
beforeAll(async () => {
  server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => {
      const body = Buffer.concat(chunks)
      received += req.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
      res.end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  vi.stubEnv('SENTRY_DSN', `http://key@127.0.0.1:${(server.address() as AddressInfo).port}/1`)
})
afterAll(() => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  server.close()
})

it('reports failures with their tags, without secrets, and no refusals', async () => {
  const { reportFailure } = await import('#app/integrations/monitoring.server.ts')
  for (const status of [400, 401, 402, 403, 404])
    reportFailure(Object.assign(new Error(`refusal ${status}`), { status }))
  reportFailure(new Error('canary failure of lena.canary@example.com, token=canary-token'), {
    request_id: 'r-1',
  })
  const { problemOf } = await import('#app/api/problem.server.ts')
  const asked = { method: 'GET', path: '/api/v1/mail_stops/canary-link', request_id: 'r-2' }
  expect(problemOf(new Error('canary call'), asked).status).toBe(500)
  reportFailure(Object.assign(new Error('canary gateway'), { status: 502 }))

  await expect.poll(() => received, { timeout: 10_000 }).toContain('canary gateway')
  expect(received).toContain('canary failure of')
  expect(received).toContain('"request_id":"r-1"')
  expect(received).toContain('"request_id":"r-2"')
  expect(received).not.toMatch(/lena\.canary|canary-token|canary-link|refusal 40/)
})

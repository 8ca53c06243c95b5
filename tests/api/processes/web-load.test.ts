import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { RequestHandler } from 'express'
import { expect, it } from 'vitest'
import { RATES } from '#app/web/rates.server.ts'
import { openFront } from './web-front.ts'

it('answers 503 at once if the maximum number of requests is already running', async () => {
  const front = await openFront({ mostInFlight: 2 })
  const served = [front.visit('/held'), front.visit('/held')]
  await front.untilHeld(2)
  // Both are still held, so an answer now did not wait for them.
  for (const path of ['/', '/api/v1/tenants', '/users.data?page=2']) {
    const refused = await front.visit(path)
    expect(refused.status).toBe(503)
    expect([path, refused.headers.get('content-type')]).toEqual([
      path,
      expect.stringContaining(path === '/' ? 'html' : 'json'),
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await refused.text()).toContain('busy')
  }
  expect((await front.visit('/healthz')).status).toBe(200)
  front.release()
  expect((await Promise.all(served)).map(({ status }) => status)).toEqual([200, 200])
  await expect.poll(async () => (await front.visit('/')).status).toBe(200)
  await front.close()
})

it('no longer counts the request of a visitor who has left', async () => {
  const front = await openFront({ mostInFlight: 1 })
  const leaving = new AbortController()
  const gone = front.visit('/held', { signal: leaving.signal }).catch(() => 'gone')
  await front.untilHeld(1)
  expect((await front.visit('/')).status).toBe(503)
  leaving.abort()
  expect(await gone).toBe('gone')
  await expect.poll(async () => (await front.visit('/')).status).toBe(200)
  await front.close()
})

it('does not let request bodies that never arrive block other requests', async () => {
  const front = await openFront({ mostInFlight: 2 })
  const slow = [1, 2].map(() => {
    const socket = connect(Number(new URL(front.origin).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST /held HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n')
    return socket
  })
  await expect.poll(async () => (await front.visit('/')).status).toBe(503)
  await expect.poll(async () => (await front.visit('/')).status, { timeout: 5000 }).toBe(200)
  for (const socket of slow) socket.destroy()
  await front.close()
})

it('does not let responses that are never read block other requests', async () => {
  const site: RequestHandler = (req, res) =>
    void res.end(req.url === '/long' ? randomBytes(20_000_000) : 'short')
  const front = await openFront({ mostInFlight: 2, site })
  const unread = [1, 2].map(() => {
    const socket = connect(front.port, '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write('GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return socket
  })
  await expect.poll(async () => (await front.visit('/')).status).toBe(503)
  await expect.poll(async () => (await front.visit('/')).status, { timeout: 5000 }).toBe(200)
  for (const socket of unread) socket.destroy()
  await front.close()
})

it('answers 429 with Retry-After to an address that sends too many requests', async () => {
  const rates = RATES.map((rate) => (rate.name === 'sign-in' ? { ...rate, perMinute: 3 } : rate))
  const front = await openFront({ rates, TRUSTED_PROXIES: 'loopback' })
  const signIn = async (from: string) =>
    front.visit('/login', { method: 'POST', body: 'a', headers: { 'x-forwarded-for': from } })
  for (let i = 0; i < 3; i += 1) expect((await signIn('9.9.9.9')).status).toBe(200)
  const refused = await signIn('9.9.9.9')
  expect(refused.status).toBe(429)
  // The time to come back is stated once.
  expect((await refused.clone().text()).match(/try again/g)).toHaveLength(1)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await signIn('8.8.8.8')).status).toBe(200)
  // One IPv6 network counts as one address.
  for (let i = 0; i < 3; i += 1) await signIn(`2001:db8::${i + 1}`)
  expect((await signIn('2001:db8::ffff')).status).toBe(429)
  expect((await signIn('2001:db8:1::1')).status).toBe(200)
  await front.close()
})

it('limits an address to the rate that each call declares', async () => {
  const front = await openFront({ TRUSTED_PROXIES: 'loopback' })
  const ask = async (method: string, path: string) =>
    (await front.visit(path, { method, headers: { 'x-forwarded-for': '7.7.7.7' } })).status
  // Calls that write to other people are counted together.
  for (let i = 0; i < 15; i += 1) {
    expect(await ask('POST', '/api/v1/lifts/1/send_test')).toBe(200)
    expect(await ask('POST', '/api/v1/users/import')).toBe(200)
  }
  expect(await ask('POST', '/api/v1/auth/resend-welcome-email/1')).toBe(429)
  expect(await ask('GET', '/api/v1/users/imports')).toBe(200)
  for (let i = 0; i < 60; i += 1) await ask('GET', '/api/v1/users/pool')
  expect(await ask('HEAD', '/api/v1/users/pool')).toBe(429)
  await front.close()
})

it('is not ready from the moment it drains, and finishes the requests that are running', async () => {
  const front = await openFront()
  expect((await front.visit('/readyz')).status).toBe(200)
  const served = front.visit('/held')
  await front.untilHeld(1)
  const drained = front.drain(5000)
  const draining = await front.visit('/readyz')
  expect(draining.status).toBe(503)
  expect(draining.headers.get('connection')).toBe('close')
  expect((await front.visit('/healthz')).status).toBe(200)
  front.release()
  expect((await served).status).toBe(200)
  await drained
  await expect(front.visit('/healthz')).rejects.toThrow()
})

it('shows metrics only to this machine if no token is set', async () => {
  const front = await openFront()
  const ask = async (headers: Record<string, string> = {}) =>
    (await front.visit('/metrics', { headers })).status
  expect(await ask()).toBe(200)
  for (const name of ['Via', 'Forwarded', 'X-Forwarded-For', 'Fastly-Client-IP', 'X-Azure-ClientIP'])
    expect([name, await ask({ [name]: '1.1 proxy' })]).toEqual([name, 403])
  for (const name of ['X-Original-Forwarded-For', 'X-Envoy-External-Address', 'X-Real-IP'])
    expect([name, await ask({ [name]: '9.9.9.9' })]).toEqual([name, 403])
  const answer = await front.raw(
    'GET /metrics HTTP/1.1\r\nHost: app.example.com\r\nConnection: close\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1.1 403/)
  await front.close()

  // With a public origin there is a proxy in front, and a simple one adds no header at all.
  const behind = await openFront({ PUBLIC_ORIGIN: 'https://app.example.com' })
  expect((await behind.visit('/metrics')).status).toBe(403)
  await behind.close()
})

it('shows metrics only to a request with the token if one is set', async () => {
  const front = await openFront({ METRICS_TOKEN: 'a-token-of-enough-letters', TRUSTED_PROXIES: 'loopback' })
  expect((await front.visit('/metrics')).status).toBe(403)
  const from = { 'x-forwarded-for': '9.9.9.9' }
  const ask = async (authorization: string) =>
    (await front.visit('/metrics', { headers: { ...from, authorization } })).status
  expect(await ask('')).toBe(403)
  expect(await ask('Bearer wrong')).toBe(403)
  expect(await ask('Bearer a-token-of-enough-letters')).toBe(200)
  await front.close()
})

it('names a contact for security reports', async () => {
  const front = await openFront()
  const text = await (await front.visit('/.well-known/security.txt')).text()
  expect(text).toMatch(/^Contact: mailto:/m)
  expect(text).toMatch(/^Expires: \d{4}-/m)
  await front.close()
})

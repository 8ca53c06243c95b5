import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFront } from './web-front.ts'

let front: Awaited<ReturnType<typeof openFront>>
beforeAll(async () => {
  front = await openFront()
})
afterAll(() => front.close())

const COOKIE = { cookie: '__Host-liftwell=x' }
const post = async (path: string, headers: Record<string, string>, method = 'POST') => {
  // fetch() itself would add Sec-Fetch headers.
  const lines = Object.entries({ host: 'localhost', connection: 'close', 'content-length': '3', ...headers })
  const text = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')
  const answer = await front.raw(`${method} ${path} HTTP/1.1\r\n${text}\r\n\r\na=1`)
  return { status: Number(answer.slice(9, 12)), text: answer }
}

const PATHS = [
  ['POST', '/login'],
  ['POST', '/tenants/add'],
  ['POST', '/logout'],
  ['POST', '/idp/default/logout'],
  ['POST', '/api/v1/tenants'],
  ['PUT', '/api/v1/tenants/1'],
  ['PATCH', '/api/v1/notifications'],
  ['DELETE', '/api/v1/tenants/1'],
] as const

describe.each(PATHS)('%s %s', (method, path) => {
  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['a look-alike origin', { origin: 'http://localhost.evil.example' }],
    ['another port', { origin: 'http://localhost:1' }],
    ['a hidden origin', { origin: 'null' }],
    ['an invalid origin', { origin: '%%%' }],
    ['an empty origin', { origin: '' }],
    ['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
    ['a request from another origin of the same site', { 'sec-fetch-site': 'same-site' }],
    ['an invalid Sec-Fetch-Site header', { 'sec-fetch-site': 'x' }],
    ['cookies without an origin', {}],
  ])('refuses %s', async (_what, headers) => {
    expect((await post(path, { ...COOKIE, ...headers }, method)).status).toBe(403)
  })

  it('trusts the configured origin, not the Host header', async () => {
    const headers = {
      ...COOKIE,
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      origin: 'http://evil.example',
    }
    expect((await post(path, headers, method)).status).toBe(403)
  })

  it.each([
    ['a request of the site itself', { ...COOKIE, origin: 'own', 'sec-fetch-site': 'same-origin' }],
    ['a request of the site itself from an old browser', { ...COOKIE, origin: 'own' }],
    ['a request that a person makes without a page', { ...COOKIE, 'sec-fetch-site': 'none' }],
    ['a call without cookies', { authorization: 'Bearer x' }],
  ])('accepts %s', async (_what, headers: Record<string, string>) => {
    const given = headers.origin === 'own' ? { ...headers, origin: front.origin } : headers
    expect((await post(path, given, method)).status).toBe(200)
  })
})

it('refuses a page of another origin even with a bearer token', async () => {
  expect(
    (await post('/api/v1/tenants', { authorization: 'Bearer x', origin: 'https://evil.example' })).status,
  ).toBe(403)
})

it('lets another server use the provider’s token endpoint', async () => {
  expect((await post('/idp/default/oauth2/token', {})).status).toBe(200)
})

it('refuses calls of the API as JSON, and other requests with a page', async () => {
  const api = await post('/api/v1/tenants', { origin: 'https://evil.example' })
  expect(JSON.parse(api.text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ has_error: true, status: 403 })
  const page = await post('/tenants', { origin: 'https://evil.example' })
  expect(page.text).toContain('<h1>Not allowed from here</h1>')
})

it('accepts GET requests from any origin', async () => {
  const answer = await front.visit('/kept', {
    headers: {
      ...COOKIE,
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    },
  })
  expect(answer.status).toBe(200)
})

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFront, STYLE } from './web-front.ts'

let front: Awaited<ReturnType<typeof openFront>>
beforeAll(async () => {
  front = await openFront()
})
afterAll(() => front.close())

const EVERYWHERE: [string, RegExp][] = [
  ['strict-transport-security', /^max-age=31536000; includeSubDomains$/],
  ['x-content-type-options', /^nosniff$/],
  ['referrer-policy', /^same-origin$/],
  ['cross-origin-opener-policy', /^same-origin$/],
  ['permissions-policy', /camera=\(\)/],
  ['content-security-policy', /object-src 'none';base-uri 'none';.*frame-ancestors 'none'/],
  ['x-request-id', /^[0-9a-f-]{36}$/],
]

it.each([
  ['a page', '/', {}, 200],
  ['a failure', '/boom', {}, 500],
  ['a static file', '/assets/style-abc.css', {}, 200],
  ['a refused method', '/', { method: 'DELETE' }, 405],
  ['a forged form', '/', { method: 'POST', headers: { origin: 'https://evil.example' } }, 403],
  ['a malformed address', '/%E0%A4', {}, 400],
  ['a health check', '/healthz', {}, 200],
] as const)('sends every security header with %s', async (_what, path, init, status) => {
  const answer = await front.visit(path, init)
  expect(answer.status).toBe(status)
  for (const [name, value] of EVERYWHERE) expect(answer.headers.get(name), name).toMatch(value)
  expect(answer.headers.get('x-powered-by')).toBeNull()
  expect(answer.headers.get('server')).toBeNull()
})

it('sends every security header with redirects and unchanged files', async () => {
  const etag = (await front.visit('/robots.txt')).headers.get('etag')
  const ask = (path: string, line: string) =>
    front.raw(`GET ${path} HTTP/1.1\r\n${line}\r\nConnection: close\r\n\r\n`)
  const unchanged = await ask('/robots.txt', `Host: localhost:${front.port}\r\nIf-None-Match: ${etag}`)
  const redirect = await ask('/users', `Host: 127.0.0.1:${front.port}`)
  expect(unchanged).toMatch(/^HTTP\/1\.1 304/)
  expect(redirect).toMatch(/^HTTP\/1\.1 307/)
  for (const answer of [unchanged, redirect])
    for (const [name] of EVERYWHERE) expect(answer.toLowerCase()).toContain(`${name}: `)
})

it('refuses what is not HTTP, with security headers', async () => {
  const answer = await front.raw('NONSENSE / HTTP/1.1\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 405/)
  expect(answer).toContain('X-Content-Type-Options: nosniff')
  expect(await front.raw('GET / HTTP/1.1\r\nno colon\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/)
})

it('uses a new nonce for each response', async () => {
  const nonces = new Set<string>()
  for (let i = 0; i < 20; i += 1) {
    const answer = await front.visit('/seen')
    const { nonce } = (await answer.json()) as { nonce: string }
    expect(answer.headers.get('content-security-policy')).toContain(`'nonce-${nonce}' 'strict-dynamic'`)
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(20)
})

it('asks browsers to upgrade requests to https only if the public origin is https', async () => {
  expect((await front.visit('/')).headers.get('content-security-policy')).not.toContain('upgrade')
  const secure = await openFront({ PUBLIC_ORIGIN: 'https://liftwell.example' })
  expect((await secure.visit('/')).headers.get('content-security-policy')).toContain(
    'upgrade-insecure-requests',
  )
  await secure.close()
})

it('forbids caching of responses to a signed-in person and of responses that set a cookie', async () => {
  const cacheControl = async (path: string, headers = {}) =>
    (await front.visit(path, { headers: { ...headers } })).headers.get('cache-control')
  expect(await cacheControl('/')).toBe('no-store')
  expect(await cacheControl('/kept')).toBe('public, max-age=60')
  expect(await cacheControl('/kept', { cookie: '__Host-liftwell=x' })).toBe('no-store')
  expect(await cacheControl('/kept', { authorization: 'Bearer x' })).toBe('no-store')
  expect(await cacheControl('/cookie')).toBe('no-store')
  expect(await cacheControl('/settings/profile/x.css', { cookie: '__Host-liftwell=x' })).toBe('no-store')
})

it('lets browsers cache prefetched data for five seconds, until a form is sent', async () => {
  const cookie = '__Host-liftwell=x'
  const ask = async (path: string, headers: Record<string, string>, method = 'GET') =>
    (await front.visit(path, { method, headers: { cookie, ...headers } })).headers
  const ahead = await ask('/seen.data', { 'sec-purpose': 'prefetch' })
  expect(ahead.get('cache-control')).toBe('private, max-age=5')
  expect(ahead.get('vary')?.split(', ')).toContain('Cookie')
  expect((await ask('/seen.data', { purpose: 'prefetch' })).get('cache-control')).toBe('private, max-age=5')
  expect((await ask('/seen.data', {})).get('cache-control')).toBe('no-store')
  for (const path of ['/', '/cookie.data', '/boom.data'])
    expect((await ask(path, { 'sec-purpose': 'prefetch' })).get('cache-control'), path).toBe('no-store')

  const origin = { origin: front.origin }
  const [first, second] = [await ask('/', origin, 'POST'), await ask('/', origin, 'POST')]
  expect(first.get('set-cookie')).toMatch(
    /^__Host-sent=[0-9a-f-]{36}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  expect(second.get('set-cookie')).not.toBe(first.get('set-cookie'))
})

it('lets browsers cache built files for a year, compressed if the browser accepts it', async () => {
  const brotli = await front.visit('/assets/style-abc.css', { headers: { 'accept-encoding': 'gzip, br' } })
  expect(brotli.headers.get('content-encoding')).toBe('br')
  expect(brotli.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(brotli.headers.get('vary')).toContain('Accept-Encoding')
  expect(brotli.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(await brotli.text()).toBe(STYLE)
  const plain = await front.visit('/assets/style-abc.css', { headers: { 'accept-encoding': 'br;q=0' } })
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await plain.text()).toBe(STYLE)
  expect((await front.visit('/robots.txt')).headers.get('cache-control')).toBe('public, max-age=3600')
})

it('lets search engines find only the sign-in page', () => {
  const lines = readFileSync('public/robots.txt', 'utf8').trim().split('\n')
  expect(lines).toEqual(['User-agent: *', 'Allow: /login', 'Disallow: /'])
})

it('serves known files only', async () => {
  const notFound = await openFront({ site: (_req, _res, next) => next() })
  for (const path of [
    '/.git/config',
    '/.env',
    '/package.json',
    '/assets/',
    '/assets/style-abc.css.br',
    '/assets/..%2frobots.txt',
  ]) {
    expect((await notFound.visit(path)).status, path).toBe(404)
  }
  await notFound.close()
})

it('answers HEAD like GET, without a body', async () => {
  for (const path of ['/kept', '/assets/style-abc.css']) {
    const headers = { 'accept-encoding': 'identity' }
    const get = await front.visit(path, { headers })
    const head = await front.visit(path, { method: 'HEAD', headers })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    expect(await head.text()).toBe('')
  }
})

it('compresses pages while it streams them', async () => {
  const page = await front.visit('/', { headers: { 'accept-encoding': 'br' } })
  expect(page.headers.get('content-encoding')).toBe('br')
  expect(await page.text()).toContain('<h1>Home</h1>')

  const start = performance.now()
  const stream = await front.visit('/stream', {
    headers: { 'accept-encoding': 'br' },
  })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('<p>first</p>')
  expect(performance.now() - start).toBeLessThan(350)
  expect((await reader?.read())?.value).toBe('<p>last</p>')
})

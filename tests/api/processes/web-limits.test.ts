import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { problemOf } from '#app/api/problem.server.ts'
import { log } from '#app/integrations/log.server.ts'
import { trustProxies } from '#app/web/address.server.ts'
import { answerCalls } from '#app/web/calls.server.ts'
import { openFront } from './web-front.ts'

let front: Awaited<ReturnType<typeof openFront>>
beforeAll(async () => {
  front = await openFront()
})
afterAll(() => front.close())

const API = '/api/v1/lljs'
const send = (path: string, body: BodyInit, headers = {}, method = 'POST') =>
  front.visit(path, { method, body, headers, duplex: 'half' } as RequestInit)

describe('HTTP methods', () => {
  it.each(['TRACE', 'OPTIONS', 'PROPFIND', 'LOCK'])('refuses the method %s', async (method) => {
    const answer = await front.raw(`${method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 405/)
    expect(answer).toContain('Allow: GET, HEAD, POST')
  })

  it('refuses CONNECT', async () => {
    expect(await front.raw('CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 405/,
    )
  })

  it.each(['PUT', 'PATCH', 'DELETE'])('accepts %s only for the API', async (method) => {
    expect((await send('/tenants', '', {}, method)).status).toBe(405)
    expect((await send(`${API}/1`, '', {}, method)).status).toBe(200)
  })
})

describe('Request bodies', () => {
  it('accepts 100 kB at most', async () => {
    expect((await send(API, 'x'.repeat(100_000))).status).toBe(200)
    const answer = await send(API, 'x'.repeat(100_001))
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ has_error: true, status: 413 })
  })

  it('refuses a large request by a page’s script with a message in JSON', async () => {
    const answer = await send('/lljs/manage/new.data', 'x'.repeat(100_001))
    expect(answer.status).toBe(413)
    expect((await answer.json()).detail).toBe('This is too large: at most 100 kB can be sent.')
  })

  it.each([
    ['POST', '/api/v1/tenants'],
    ['PUT', '/api/v1/tenants/x/company'],
    ['PUT', '/api/v1/tenants/x/sub_tenants/y/company'],
    ['POST', '/settings/company'],
    ['POST', '/tenants/edit/x'],
  ])('accepts 3 MB at most where a picture is sent: %s %s', async (method, path) => {
    expect((await send(path, 'x'.repeat(3_000_000), {}, method)).status).toBe(200)
    expect((await send(path, 'x'.repeat(3_000_001), {}, method)).status).toBe(413)
  })

  it.each(['/lift/7', '/api/v1/lifts/7/responses'])(
    'accepts 2 MB of answers to a lift at most: %s',
    async (path) => {
      expect((await send(path, 'x'.repeat(2_000_000))).status).toBe(200)
      expect((await send(path, 'x'.repeat(2_000_001))).status).toBe(413)
    },
  )

  it.each([
    ['POST', '/api/v1/users/import', 10_500_000],
    ['POST', '/api/v1/lljs/7/members/import', 10_500_000],
    ['POST', '/api/v1/files', 26_000_000],
    // Similar calls that carry no file.
    ['PUT', '/api/v1/tenants/x/pool', 100_000],
    ['PUT', '/api/v1/users/import', 100_000],
  ])('accepts as much as the API call declares: %s %s (%i bytes)', async (method, path, most) => {
    expect((await send(path, 'x'.repeat(most), {}, method)).status).toBe(200)
    expect((await send(path, 'x'.repeat(most + 1), {}, method)).status).toBe(413)
  })

  it.each(['/settings/company', '/tenants/add', '/subtenants/x/edit', '/users/import'])(
    'lets a screen answer to a form of 9 MB, but refuses one of more than 26 MB: %s',
    async (path) => {
      const form = { 'content-type': 'multipart/form-data; boundary=x' }
      expect((await send(path, 'x'.repeat(9_000_000), form)).status).toBe(200)
      const answer = await send(path, 'x'.repeat(26_000_001), form)
      expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('what you typed')])
    },
  )

  it('answers a form of 50 MB instead of closing the connection', async () => {
    const answer = await send('/settings/company', 'x'.repeat(50_000_000))
    expect(answer.status).toBe(413)
    expect(await answer.text()).toContain('at most 3 MB')
  })

  it('limits a body that is sent without a length', async () => {
    const stream = (chunks: number) =>
      new ReadableStream({
        start(controller) {
          for (let i = 0; i < chunks; i += 1) controller.enqueue(new Uint8Array(10_000))
          controller.close()
        },
      })
    expect(await (await send(API, stream(10))).json()).toEqual({ length: 100_000 })
    expect((await send(API, stream(11))).status).toBe(413)
    expect((await send(API, stream(500))).status).toBe(413)
    expect(front.lines().filter(({ event }) => event === 'request.failed')).toEqual([])
  })

  it('logs no failure if the API was already reading a body that is too large', async () => {
    const failed = [vi.spyOn(log, 'error'), vi.spyOn(console, 'error')]
    const answers: Promise<Response>[] = []
    const callApi = (request: Request) => {
      const read = request.text().then(
        () => new Response('read'),
        (error) => problemOf(error, { method: 'POST', path: API }),
      )
      answers.push(read)
      return read
    }
    const site = await openFront({
      site: answerCalls(
        async () => callApi,
        () => ({ ip: '', request_id: '', found: new Map() }),
      ),
    })
    const body = new Blob(['x'.repeat(110_000)]).stream()
    const answer = await site.visit(API, { method: 'POST', body, duplex: 'half' } as RequestInit)
    const made = await Promise.all(answers)
    await site.close()
    expect(answer.status).toBe(413)
    expect(made.map(({ status }) => status)).toEqual([413])
    for (const one of failed) expect(one).not.toHaveBeenCalled()
  })

  it('refuses compressed bodies', async () => {
    const answer = await send(API, new Uint8Array(gzipSync('{}')), { 'content-encoding': 'gzip' })
    expect(answer.status).toBe(415)
  })
})

describe('Addresses and headers', () => {
  it.each(['/%E0%A4%A', '/%', '/a%00b', '/a%0d%0aSet-Cookie:x', '/a%5cb', `/${'x'.repeat(8001)}`])(
    'refuses the address %s with 400 or 414',
    async (path) => {
      expect([400, 414]).toContain((await front.visit(path)).status)
    },
  )

  it('answers a request whose Expect header it does not know', async () => {
    const answer = await front.raw(
      'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200[\s\S]*x-content-type-options: nosniff/i)
  })

  it('refuses an address that names a host', async () => {
    const answer = await front.raw(
      'GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400/)
  })

  it('decodes an address only once', async () => {
    expect((await front.visit('/%252e%252e/%252fetc')).status).toBe(200)
  })

  it('refuses headers that are too large, and says that deleting cookies helps', async () => {
    const answer = await front.raw(
      `GET / HTTP/1.1\r\nHost: localhost\r\nCookie: x=${'x'.repeat(20_000)}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 431/)
    expect(answer).toContain('Delete the cookies of this site')
  })

  it.each([
    [
      'a length and chunked encoding',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde',
    ],
    [
      'an unknown transfer encoding',
      'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    ],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n'],
  ])('refuses a request with %s', async (_what, text) => {
    expect(await front.raw(text)).toMatch(/^HTTP\/1\.1 400/)
  })
})

describe('Host names', () => {
  const get = (path: string, host: string, more = '') =>
    front.raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`)

  it('redirects a person to the public origin', async () => {
    for (const name of ['127.0.0.1', 'LOCALHOST', '[::1]', 'app.localhost']) {
      const answer = await get('//users?page=2', `${name}:${front.port}`)
      expect(answer, name).toMatch(/^HTTP\/1\.1 307/)
      expect(answer, name).toContain(`Location: ${front.origin}//users?page=2\r\n`)
    }
  })

  it('does not redirect other hosts and ports, API calls, files and health checks', async () => {
    const here = `127.0.0.1:${front.port}`
    expect(await get('/kept', `localhost:${front.port}`)).toMatch(/^HTTP\/1\.1 200/)
    expect(await get('/kept', 'app.example:80')).toMatch(/^HTTP\/1\.1 200/)
    expect(await get('/kept', '127.0.0.1:1')).toMatch(/^HTTP\/1\.1 200/)
    expect(await get('/kept', here, 'Sec-Fetch-Mode: no-cors\r\n')).toMatch(/^HTTP\/1\.1 200/)
    for (const path of [
      '/api/v1/tenants',
      '/healthz',
      '/readyz',
      '/metrics',
      '/assets/style-abc.css',
      '/idp/x',
    ])
      expect(await get(path, here), path).toMatch(/^HTTP\/1\.1 200/)
  })
})

describe('Proxies', () => {
  const spoof = {
    'x-forwarded-for': '9.9.9.9',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-real-ip': '9.9.9.9',
    forwarded: 'for=9.9.9.9',
  }
  type Seen = { ip: string; host: string; protocol: string; headers: Record<string, string> }
  const seen = async (site: typeof front, headers: Record<string, string>) =>
    (await (await site.visit('/seen', { headers: { ...headers } })).json()) as Seen

  it('ignores the forwarding headers of an untrusted client', async () => {
    const { ip, host, protocol, headers } = await seen(front, spoof)
    expect({ ip, protocol, host }).toEqual({
      ip: '127.0.0.1',
      protocol: 'http',
      host: `localhost:${front.port}`,
    })
    expect(JSON.stringify(headers)).not.toMatch(/9\.9\.9\.9|evil/)
  })

  it('takes the client’s address from a trusted proxy, and the host from the configuration', async () => {
    const proxied = await openFront({
      TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
      PUBLIC_ORIGIN: 'https://liftwell.example',
    })
    const { ip, host, protocol, headers } = await seen(proxied, spoof)
    expect({ ip, host, protocol }).toEqual({ ip: '9.9.9.9', host: 'liftwell.example', protocol: 'https' })
    expect(headers).toMatchObject({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'liftwell.example' })
    // The nearest untrusted hop counts, not the address that it claims.
    expect((await seen(proxied, { 'x-forwarded-for': '1.1.1.1, 8.8.8.8, 10.0.0.7' })).ip).toBe('8.8.8.8')
    await proxied.close()
  })

  it('redirects unencrypted page requests to https, and refuses unencrypted calls and forms', async () => {
    const proxied = await openFront({
      TRUSTED_PROXIES: 'loopback',
      PUBLIC_ORIGIN: 'https://liftwell.example',
    })
    const plain = { headers: { 'x-forwarded-proto': 'http' } }
    const page = await proxied.visit('/users?page=2', plain)
    expect(page.status).toBe(308)
    expect(page.headers.get('location')).toBe('https://liftwell.example/users?page=2')
    expect((await proxied.visit('/api/v1/tenants', plain)).status).toBe(403)
    expect((await proxied.visit('/login', { ...plain, method: 'POST', body: 'x' })).status).toBe(403)
    expect((await proxied.visit('/kept', { headers: { 'x-forwarded-proto': 'https' } })).status).toBe(200)
    await proxied.close()
  })

  it('names the invalid entry in a list of proxies', () => {
    expect(() => trustProxies(express(), '10.0.0.0/8, nonsense')).toThrow(/TRUSTED_PROXIES: .*nonsense/)
  })
})

it('closes connections that send their headers too slowly', async () => {
  front.server.headersTimeout = 500
  const start = performance.now()
  const answer = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(front.port, '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n'),
    )
    const drip = setInterval(() => socket.write('X: y\r\n'), 100)
    socket.on('data', (chunk) => (text += chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(drip)
      resolve(text)
    })
  })
  expect(answer).toMatch(/^HTTP\/1\.1 408/)
  expect(performance.now() - start).toBeLessThan(4000)
  front.server.headersTimeout = 10_000
})

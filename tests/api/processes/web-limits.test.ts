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

describe('methods', () => {
  it.each(['TRACE', 'OPTIONS', 'PROPFIND', 'LOCK'])('refuses %s', async (method) => {
    const answer = await front.raw(`${method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 405/)
    expect(answer).toContain('Allow: GET, HEAD, POST')
  })

  it('refuses to be a tunnel', async () => {
    expect(await front.raw('CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 405/,
    )
  })

  it('lets only the API be changed by PUT, PATCH and DELETE', async () => {
    expect((await send('/tenants', '', {}, 'PUT')).status).toBe(405)
    expect((await send(`${API}/1`, '', {}, 'PUT')).status).toBe(200)
  })
})

describe('bodies', () => {
  it('takes 100 kB and no more', async () => {
    expect((await send(API, 'x'.repeat(100_000))).status).toBe(200)
    const answer = await send(API, 'x'.repeat(100_001))
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ has_error: true, status: 413 })
  })

  it('says to the script of a page what it can read, and nothing of going back', async () => {
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
  ])('takes 3 MB where a picture is sent: %s %s', async (method, path) => {
    expect((await send(path, 'x'.repeat(3_000_000), {}, method)).status).toBe(200)
    expect((await send(path, 'x'.repeat(3_000_001), {}, method)).status).toBe(413)
  })

  it.each(['/lift/7', '/api/v1/lifts/7/responses'])(
    'takes long answers to every question of a lift, in any script: %s',
    async (path) => {
      expect((await send(path, 'x'.repeat(2_000_000))).status).toBe(200)
      expect((await send(path, 'x'.repeat(2_000_001))).status).toBe(413)
    },
  )

  it.each([
    ['POST', '/api/v1/users/import', 10_500_000],
    ['POST', '/api/v1/lljs/7/members/import', 10_500_000],
    ['POST', '/api/v1/files', 26_000_000],
    // Neighbours of calls that carry a picture, which carry none themselves.
    ['PUT', '/api/v1/tenants/x/pool', 100_000],
    ['PUT', '/api/v1/users/import', 100_000],
  ])('takes from a call what the call says of itself: %s %s', async (method, path, most) => {
    expect((await send(path, 'x'.repeat(most), {}, method)).status).toBe(200)
    expect((await send(path, 'x'.repeat(most + 1), {}, method)).status).toBe(413)
  })

  it.each(['/settings/company', '/tenants/add', '/subtenants/x/edit', '/users/import'])(
    'hands a form with a file that is too large to its screen, which answers at the field: %s',
    async (path) => {
      const form = { 'content-type': 'multipart/form-data; boundary=x' }
      expect((await send(path, 'x'.repeat(9_000_000), form)).status).toBe(200)
      const answer = await send(path, 'x'.repeat(26_000_001), form)
      expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('what you typed')])
    },
  )

  it('answers a form of 50 MB before closing anything', async () => {
    const answer = await send('/settings/company', 'x'.repeat(50_000_000))
    expect(answer.status).toBe(413)
    expect(await answer.text()).toContain('at most 3 MB')
  })

  it('counts what comes without a length', async () => {
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

  it('is no failure to the API that was reading it, and it answers nothing more', async () => {
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

  it('refuses what is compressed', async () => {
    const answer = await send(API, new Uint8Array(gzipSync('{}')), { 'content-encoding': 'gzip' })
    expect(answer.status).toBe(415)
  })
})

describe('addresses', () => {
  it.each(['/%E0%A4%A', '/%', '/a%00b', '/a%0d%0aSet-Cookie:x', '/a%5cb', `/${'x'.repeat(8001)}`])(
    'refuses %s without failing',
    async (path) => {
      expect([400, 414]).toContain((await front.visit(path)).status)
    },
  )

  it('answers whoever expects of it what it does not know', async () => {
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

  it('reads an address once only', async () => {
    expect((await front.visit('/%252e%252e/%252fetc')).status).toBe(200)
  })

  it('refuses headers without end, and says what helps', async () => {
    const answer = await front.raw(
      `GET / HTTP/1.1\r\nHost: localhost\r\nCookie: x=${'x'.repeat(20_000)}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 431/)
    expect(answer).toContain('Delete the cookies of this site')
  })

  it.each([
    [
      'both lengths',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde',
    ],
    [
      'an unknown coding',
      'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    ],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n'],
  ])('refuses %s', async (_what, text) => {
    expect(await front.raw(text)).toMatch(/^HTTP\/1\.1 400/)
  })
})

describe('names', () => {
  const get = (path: string, host: string, more = '') =>
    front.raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`)

  it('sends a person to the public name', async () => {
    for (const name of ['127.0.0.1', 'LOCALHOST', '[::1]', 'app.localhost']) {
      const answer = await get('//users?page=2', `${name}:${front.port}`)
      expect(answer, name).toMatch(/^HTTP\/1\.1 307/)
      expect(answer, name).toContain(`Location: ${front.origin}//users?page=2\r\n`)
    }
  })

  it('leaves everything else where it is', async () => {
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

describe('proxies', () => {
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

  it('does not believe a stranger', async () => {
    const { ip, host, protocol, headers } = await seen(front, spoof)
    expect({ ip, protocol, host }).toEqual({
      ip: '127.0.0.1',
      protocol: 'http',
      host: `localhost:${front.port}`,
    })
    expect(JSON.stringify(headers)).not.toMatch(/9\.9\.9\.9|evil/)
  })

  it('believes a trusted proxy about the client, and the configuration about the name', async () => {
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

  it('moves pages to https, and refuses calls, when a trusted proxy took them without encryption', async () => {
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

  it('says what is wrong with a list of proxies', () => {
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

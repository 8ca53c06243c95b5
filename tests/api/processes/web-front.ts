/** The front on a real port, with small handlers in place of the site. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import express, { type RequestHandler } from 'express'
import { expect } from 'vitest'
import { createLog } from '#app/integrations/log.server.ts'
import { createFront } from '#app/web/front.server.ts'

type FrontOptions = Parameters<typeof createFront>[0]
type Setting = Partial<FrontOptions['config']> &
  Pick<FrontOptions, 'mostInFlight' | 'rates'> & { site?: RequestHandler; isStarting?: boolean }

export type Line = Record<string, unknown> & { event: string }

export const STYLE = 'body { color: black }'.repeat(100)

export async function openFront({ site, isStarting, mostInFlight, rates, ...given }: Setting = {}) {
  const held: (() => void)[] = []
  const folder = mkdtempSync(join(tmpdir(), 'liftwell-front-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets/style-abc.css'), STYLE)
  writeFileSync(join(folder, 'assets/style-abc.css.br'), brotliCompressSync(STYLE))
  writeFileSync(join(folder, 'robots.txt'), 'User-agent: *\n')

  let printed = ''
  const log = createLog('debug', { write: (text) => (printed += text) })
  const config: FrontOptions['config'] = {
    NODE_ENV: 'production',
    PUBLIC_ORIGIN: 'http://localhost',
    TRUSTED_PROXIES: '',
    METRICS_TOKEN: undefined,
    ...given,
  }
  const front = createFront({
    config,
    log,
    files: folder,
    ...(mostInFlight && { mostInFlight }),
    ...(rates && { rates }),
  })
  await new Promise<void>((done) => front.server.listen(0, '127.0.0.1', done))
  const { port } = front.server.address() as AddressInfo
  if (!given.PUBLIC_ORIGIN) config.PUBLIC_ORIGIN = `http://localhost:${port}`
  const openSite = () => front.open({ site: site ?? smallSite(held), isReady: async () => true })
  if (!isStarting) openSite()

  return {
    ...front,
    openSite,
    port,
    origin: config.PUBLIC_ORIGIN,
    visit: (path: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init }),
    raw: (text: string) => sendRaw(port, text),
    /** Waits until this many requests of `/held` have arrived; `release` answers them. */
    untilHeld: (count: number) => expect.poll(() => held.length, { timeout: 20_000 }).toBe(count),
    release: () => {
      for (const answer of held.splice(0)) answer()
    },
    printed: () => printed,
    lines: () =>
      printed
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line),
    async close() {
      await front.drain(0)
      rmSync(folder, { recursive: true })
    },
  }
}

/** The answer to raw bytes, once the connection is closed. */
function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

function smallSite(held: (() => void)[]): RequestHandler {
  const site = express()
  site.disable('x-powered-by')
  site.get('/', (_req, res) => void res.type('html').send(`<h1>Home</h1>${'words '.repeat(500)}`))
  site.get(['/boom', '/boom.data'], () => {
    throw new Error('secret words')
  })
  site.get('/kept', (_req, res) => void res.set('Cache-Control', 'public, max-age=60').send('kept'))
  site.get(
    ['/cookie', '/cookie.data'],
    (_req, res) => void res.cookie('a', 'b').set('Cache-Control', 'public').send('cookie'),
  )
  site.get(['/seen', '/seen.data'], (req, res) => {
    const { ip, nonce } = res.locals
    res.json({ ip, nonce, host: req.headers.host, protocol: req.protocol, headers: req.headers })
  })
  site.all('/held', (_req, res) => void held.push(() => res.send('held')))
  site.get('/stream', (_req, res) => {
    res.type('html').write('<p>first</p>')
    ;(res as unknown as { flush(): void }).flush()
    setTimeout(() => res.end('<p>last</p>'), 400)
  })
  site.use(express.text({ type: () => true, limit: '30mb' }))
  site.use((req, res) => void res.status(200).json({ length: String(req.body).length }))
  return site
}

/** The built site on a real port, with the demo in a database of its own, and visitors without JavaScript. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DemoAccount } from '#app/demo/accounts.server.ts'
import { createTestDatabase } from './database.ts'

type Parts = typeof import('#app/entry.server.tsx')['parts']

export type Site = {
  origin: string
  accounts: DemoAccount[]
  /** A visitor; with an e-mail address of the demo, one who has signed in as that person. */
  visitor(email?: string): Promise<Visitor>
  close(): Promise<void>
}

export async function openSite(): Promise<Site> {
  const database = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'liftwell-site-'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  Object.assign(process.env, {
    NODE_ENV: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_ORIGIN: origin,
    DATA_DIR: dataDir,
    DEMO: 'true',
    LOG_LEVEL: 'fatal',
    APP_SECRET: 'a-secret-for-tests-of-at-least-32-characters',
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATABASE_WORKER_URL: database.workerUrl,
    DATABASE_IDENTITY_URL: database.identityUrl,
  })

  const built = await import(pathToFileURL(resolve('build/server/index.js')).href)
  const { parts } = built.entry.module as { parts: Parts }
  const front = parts.createFront({
    config: parts.getConfig(),
    log: parts.log,
    files: resolve('build/client'),
  })
  await listen(front.server, port)
  const platform = await parts.startPlatform()
  platform.setAddress(`http://127.0.0.1:${port}`)
  const site = parts.createSite({ identity: platform.identity, build: built, mode: 'production' })
  front.open({ site, isReady: () => platform.isReady() })
  await platform.startWork()

  const accounts = JSON.parse(readFileSync(join(dataDir, 'demo-accounts.json'), 'utf8')) as DemoAccount[]
  return {
    origin,
    accounts,
    async visitor(email) {
      const visitor = new Visitor(origin)
      const account = accounts.find((one) => one.email === email)
      if (email && !account) throw new Error(`${email} has no account in the demo`)
      if (account) await visitor.signIn(account.email, account.password)
      return visitor
    },
    async close() {
      await front.drain(1000)
      await platform.stop()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type Fields = Record<string, string | string[] | File>

/** Requests in, HTML out: cookies are kept, redirects are followed only when asked. */
export class Visitor {
  readonly origin: string
  readonly cookies = new Map<string, string>()

  constructor(origin: string) {
    this.origin = origin
  }

  visit(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#send(path, init)
  }

  /** What a browser without JavaScript sends for a form; with a File in it, multipart. */
  submit(path: string, fields: Fields): Promise<Response> {
    const isMultipart = Object.values(fields).some((value) => value instanceof File)
    const body = isMultipart ? new FormData() : new URLSearchParams()
    for (const [name, value] of Object.entries(fields))
      for (const one of Array.isArray(value) ? value : [value]) (body as FormData).append(name, one as string)
    return this.#send(path, { method: 'POST', body })
  }

  /** Goes where a redirect leads, and on, until there is a page. */
  async follow(answer: Response): Promise<{ response: Response; path: string; html: string }> {
    let response = answer
    let path = new URL(answer.url || this.origin).pathname
    for (let hops = 0; hops < 15; hops++) {
      const location = response.headers.get('location')
      if (!location || response.status < 300 || response.status > 399) break
      const next = new URL(location, new URL(path, this.origin))
      path = `${next.pathname}${next.search}`
      response = await this.visit(path)
    }
    return { response, path, html: await response.text() }
  }

  async signIn(email: string, password: string): Promise<void> {
    const start = await this.follow(await this.submit('/login', { email }))
    const end = await this.follow(await this.submit(start.path, { username: email, password }))
    if (!this.cookies.has('__Host-liftwell'))
      throw new Error(`sign-in of ${email} ended at ${end.path} (${end.response.status})`)
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    if (init.method && init.method !== 'GET') headers.set('origin', this.origin)
    const response = await fetch(new URL(path, this.origin), { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return response
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(';')
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    const isGone = attributes.some((one) => /^\s*max-age=0$/i.test(one) || /^\s*expires=.*1970/i.test(one))
    if (isGone) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(at + 1))
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', () => done()))
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await listen(probe, 0)
  const { port } = probe.address() as AddressInfo
  await new Promise((done) => probe.close(done))
  return port
}

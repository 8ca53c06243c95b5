/** The embedded provider on its own port, with a stand-in for the sign-in screens, and visitors without a browser. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import * as client from 'openid-client'
import { Pool } from 'pg'
import { inject } from 'vitest'
import { type IdentityPort, INTERACTION_EXPIRED, isIdentityError } from '#app/auth/identity-port.ts'
import { openPool } from '#app/db/pool.server.ts'
import { createSecrets } from '#app/identity/factors/secrets.server.ts'
import { createIdentity, type Identity } from '#app/identity/provider.server.ts'
import { isOutage } from '#app/integrations/outage.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

export const POOL = 'default'
const SECRET = 'a secret of at least thirty-two characters'
const CLIENT_ID = 'liftwell'

export const secrets = () => createSecrets(SECRET)
export const clientSecret = () => secrets().clientSecret(POOL, CLIENT_ID)

export type Site = {
  origin: string
  identity: Identity
  database: TestDatabase
  /** The database as a superuser, without row-level security. */
  store: Pool
  config: client.Configuration
  redirect_uri: string
  logged: string[]
  /** Every mail and text that was sent, the latest last. */
  sent: Sent[]
  /** Messages are sent only once this promise resolves. */
  carrier: { hangs: Promise<void> }
  /** The code in the latest message to a recipient. */
  codeFor(recipient: string): Promise<string>
  messagesTo(recipient: string): Promise<Sent[]>
  /** The pools' rules, as if a super admin had changed them. */
  rules: Partial<EmbeddedPool>
  /** The accounts that belong to people of the platform. */
  isSomebodys: Set<string>
  /** The accounts that need a second factor. */
  mustHaveMfa: Set<string>
  admission: { isOpen: boolean; admitted: string[] }
  /** Rows of the provider's own store. */
  models(where: string): Promise<{ id: string; payload: { exp: number; iiat: number } }[]>
  /** Makes such rows older. */
  age(where: string, seconds: number): Promise<{ rows: number }>
  /** Cuts the connection to the database, until `mend`. */
  cut(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

type Setting = Parameters<typeof createIdentity>[0]
type EmbeddedPool = Extract<Setting['pools'], readonly unknown[]>[number]
type Sent = Parameters<NonNullable<Setting['deliver']>>[0]

export async function openSite({ keepKeys }: { keepKeys?: number } = {}): Promise<Site> {
  const database = await createTestDatabase()
  const app = express()
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`

  const logged: string[] = []
  const write = (facts: object, message: string) => {
    logged.push(
      `${message} ${JSON.stringify(facts, (_key, value) => (value instanceof Error ? value.stack : value))}`,
    )
  }
  const sent: Sent[] = []
  const carrier = { hangs: Promise.resolve() }
  const rules: Partial<EmbeddedPool> = {}
  const isSomebodys = new Set<string>()
  const mustHaveMfa = new Set<string>()
  const admission = { isOpen: true, admitted: [] as string[] }
  const identity = await createIdentity({
    database: openPool(database.identityUrl, { max: 5 }),
    origin,
    secret: SECRET,
    pools: async () => [
      { id: POOL, client_id: CLIENT_ID, name: 'Liftwell', ...rules },
      { id: 'other', client_id: 'other-client' },
    ],
    ...(keepKeys === undefined ? {} : { keepKeys }),
    log: { info: write, warn: write, error: write },
    isOutage,
    async deliver(message) {
      await carrier.hangs
      sent.push(message)
    },
    hasPerson: async ({ sub }) => isSomebodys.has(sub),
    requiresMfa: async ({ sub }) => mustHaveMfa.has(sub),
    async admit({ sub }) {
      if (!admission.isOpen) throw new Error('There is no place yet.')
      admission.admitted.push(sub)
    },
  })

  app.use('/idp', (req, res, next) => identity.handle(req, res, next))
  app.use(express.json({ limit: '3mb' }))
  app.all('/login/:step', async (req, res) => {
    const ip = req.get('x-test-ip')
    if (ip) res.locals.ip = ip
    const port: IdentityPort = identity.port(req, res)
    try {
      res.json(req.method === 'GET' ? await port.current() : await answerOf(port, req.params.step, req.body))
    } catch (error) {
      if (!isIdentityError(error)) throw error
      if (error.name === INTERACTION_EXPIRED) return void res.json({ step: 'EXPIRED' })
      res.status(400).json({ name: error.name, message: error.message })
    }
  })

  const config = await client.discovery(
    new URL(`${origin}/idp/${POOL}`),
    CLIENT_ID,
    undefined,
    client.ClientSecretBasic(clientSecret()),
    { execute: [client.allowInsecureRequests] },
  )

  /** Messages are sent a moment after the answer. */
  const messagesTo = async (recipient: string) => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return sent.filter((message) => message.recipient === recipient)
  }

  const postgres = new Pool({ connectionString: inject('postgres').adminUrl, max: 1 })
  const name = new URL(database.adminUrl).pathname.slice(1)
  const store = new Pool({ connectionString: database.adminUrl, max: 1 })
  store.on('error', () => {})
  store.on('connect', (client) => client.on('error', () => {}))
  return {
    origin,
    identity,
    database,
    store,
    config,
    redirect_uri: `${origin}/auth/callback`,
    logged,
    sent,
    carrier,
    rules,
    isSomebodys,
    mustHaveMfa,
    admission,
    messagesTo,
    async codeFor(recipient) {
      const code = /\b\d{6}\b/.exec((await messagesTo(recipient)).at(-1)?.body ?? '')?.[0]
      if (!code) throw new Error(`No code was sent to ${recipient}.`)
      return code
    },
    async models(where) {
      return (await store.query(`select * from identity.models where ${where}`)).rows
    },
    async age(where, seconds) {
      const { rowCount } = await store.query(
        `update identity.models set expires_at = expires_at - make_interval(secs => $1::int),
           payload = payload || jsonb_build_object('exp', (payload ->> 'exp')::int - $1::int) where ${where}`,
        [seconds],
      )
      return { rows: rowCount ?? 0 }
    },
    async cut() {
      await postgres.query(`alter database ${name} connection limit 0`)
      await postgres.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    },
    async mend() {
      await postgres.query(`alter database ${name} connection limit -1`)
    },
    async close() {
      await Promise.all([store.end(), postgres.end()])
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await identity.close()
      await database.drop()
    },
  }
}

/** Makes one call of the port; a call that ends the sign-in also completes it, except after `keep:`. */
export async function answerOf(port: IdentityPort, wanted: string, body: unknown): Promise<object> {
  const call = wanted.replace('keep:', '')
  const calls = port as unknown as Record<string, (input: unknown) => Promise<object | undefined>>
  const answered = (await calls[call]?.(body)) ?? {}
  const isDone = 'step' in answered && answered.step === 'DONE' && call === wanted && !/Up$/.test(call)
  return isDone ? { ...answered, ...(await port.complete()) } : answered
}

/** What the calls can answer, refusals included. */
export type Answer = {
  step?: string
  redirect_to?: string
  name?: string
  message?: string
  missing_attributes?: string[]
  delivery?: { destination: string; medium: string }
  destination?: string
  medium?: string
}
type Current = {
  username: string
  saved: unknown
  entrance: string
  totp: { secret: string; uri: string } | null
}

/** Keeps cookies as a browser does, with their paths and Secure (which localhost satisfies). */
export class Visitor {
  readonly #cookies = new Map<string, { value: string; path: string }>()
  readonly site: Site
  readonly ip: string

  constructor(site: Site, ip = `10.${random()}.${random()}.${random()}`) {
    this.site = site
    this.ip = ip
  }

  async visit(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, this.site.origin)
    const cookie = [...this.#cookies]
      .filter(
        ([, kept]) =>
          url.pathname === kept.path || url.pathname.startsWith(kept.path === '/' ? '/' : `${kept.path}/`),
      )
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const headers = { 'x-test-ip': this.ip, cookie, accept: 'text/html', ...(init.headers as object) }
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, { value, path: '/' })
  }

  cookies(): string[] {
    return [...this.#cookies.keys()]
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(pair.indexOf('=') + 1)
    const lower = attributes.map((attribute) => attribute.toLowerCase())
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/'
    if (line.includes('01 Jan 1970')) {
      this.#cookies.delete(name)
      return
    }
    if (!lower.includes('secure') || !lower.includes('httponly') || !lower.includes('samesite=lax'))
      throw new Error(`A careless cookie: ${line}`)
    this.#cookies.set(name, { value, path })
  }

  /** Begins a sign-in and follows it to where the provider sends the visitor: a screen or the callback. */
  async start(more: Record<string, string> = {}): Promise<{ location: string; checks: Checks }> {
    const { config, redirect_uri } = this.site
    const verifier = client.randomPKCECodeVerifier()
    const checks = {
      pkceCodeVerifier: verifier,
      expectedNonce: client.randomNonce(),
      expectedState: client.randomState(),
    }
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      nonce: checks.expectedNonce,
      state: checks.expectedState,
      ...more,
    })
    const response = await this.visit(url.pathname + url.search)
    return { location: response.headers.get('location') ?? `${response.status}`, checks }
  }

  /** `ip`: as if the browser had used another address this time. */
  async answer(step: string, body: object, ip = this.ip): Promise<Answer> {
    const response = await this.visit(`/login/${step}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-test-ip': ip },
      body: JSON.stringify(body),
    })
    if (response.headers.get('content-type')?.includes('json')) return response.json()
    throw new Error(`${response.status}: ${await response.text()}`)
  }

  async screen(): Promise<Current | null> {
    return (await this.visit('/login/signIn')).json()
  }

  /** The whole sign-in, up to the callback's address. */
  async signIn(username: string, password: string, more: Record<string, string> = {}) {
    const { checks } = await this.start(more)
    const outcome = await this.answer('signIn', { username, password })
    if (!outcome.redirect_to) throw new Error(`Not signed in: ${JSON.stringify(outcome)}`)
    const response = await this.visit(outcome.redirect_to)
    const location = response.headers.get('location')
    if (!location?.startsWith(this.site.redirect_uri))
      throw new Error(`Not at the callback: ${response.status} ${location} ${this.site.logged.slice(-2)}`)
    return { callback: new URL(location), checks }
  }
}

type Checks = { pkceCodeVerifier: string; expectedNonce: string; expectedState: string }

const random = () => Math.floor(Math.random() * 255)

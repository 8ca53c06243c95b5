/** Sign-in with the embedded provider, in the same process as the site: all steps, over HTTP. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Kysely } from 'kysely'
import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Arrival, finishSignIn } from '#app/auth/arrival.server.ts'
import { verifyBearer } from '#app/auth/bearer.server.ts'
import { setOwnAccounts } from '#app/auth/own-accounts.server.ts'
import { setOwnAddress } from '#app/auth/own-address.server.ts'
import { embeddedPools, endpointsOf, issuerOf, keepDefaultPool } from '#app/auth/pools/pools.server.ts'
import { setSecret } from '#app/auth/seal.server.ts'
import { findSession } from '#app/auth/sessions/sessions.server.ts'
import { startSignIn } from '#app/auth/sign-in.server.ts'
import { signOut } from '#app/auth/sign-out.server.ts'
import { findVisit } from '#app/auth/visit.server.ts'
import { connect } from '#app/db/connect.server.ts'
import { openPool } from '#app/db/pool.server.ts'
import type { DB } from '#app/db/schema.ts'
import { getAppSetUp, setUpApp } from '#app/domain/account/own-security.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { createIdentity, type Identity } from '#app/identity/provider.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { countSessions, requestWith, SECRET } from './auth-world.ts'

const EMAIL = 'adam@example.com'
const PASSWORD = 'correct horse battery staple 42'
/** The origin at which the pool was created, before the product moved to the one in this test. */
const BIRTHPLACE = 'http://localhost:1'

let server: Server
let origin: string
let database: TestDatabase
let stage: Kysely<DB>
let identity: Identity
let sub: string

beforeAll(async () => {
  const app = express()
  server = createServer(app)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  const { port } = server.address() as AddressInfo
  origin = `http://localhost:${port}`
  process.env.PUBLIC_ORIGIN = origin
  setOwnAddress(`http://127.0.0.1:${port}`)
  setSecret(SECRET)

  database = await createTestDatabase()
  stage = connect(database.adminUrl, { max: 2 })
  await keepDefaultPool(database.app, BIRTHPLACE)
  await keepDefaultPool(database.app, origin)
  identity = await createIdentity({
    database: openPool(database.identityUrl, { max: 5 }),
    origin,
    secret: SECRET,
    pools: () => embeddedPools(database.app),
    log: { info() {}, warn() {}, error() {} },
  })
  app.use('/idp', (req, res, next) => identity.handle(req, res, next))
  app.post('/login/signIn', express.json(), async (req, res) => {
    const port = identity.port(req, res)
    await port.signIn(req.body)
    res.json(await port.complete())
  })
  sub = (await identity.admin.setPassword({ pool: 'default', email: EMAIL, password: PASSWORD })).sub
  await addAdam()
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  await identity.close()
  await stage.destroy()
  await database.drop()
})

async function addAdam(): Promise<void> {
  const { id: tenant_id } = await stage
    .insertInto('tenants')
    .values({ name: 'Acme', pool_id: 'default' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: user_id } = await stage
    .insertInto('users')
    .values({ tenant_id, email: EMAIL, activation_status: 'active' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await stage
    .insertInto('user_identities')
    .values({ tenant_id, user_id, issuer: `${BIRTHPLACE}/idp/default`, subject: sub })
    .execute()
}

/** Keeps cookies with their paths, and follows redirects up to the callback. */
class Browser {
  readonly #cookies = new Map<string, { value: string; path: string }>()

  keep(cookies: string[]): void {
    for (const cookie of cookies) {
      const [pair = '', ...attributes] = cookie.split(/; */)
      const at = pair.indexOf('=')
      const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
      const isGone = attributes.some((one) => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(one))
      const name = pair.slice(0, at)
      if (isGone) this.#cookies.delete(name)
      else this.#cookies.set(name, { value: pair.slice(at + 1), path })
    }
  }

  cookies(path: string): string[] {
    return [...this.#cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, { value }]) => `${name}=${value}`)
  }

  async fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, origin)
    const headers = { ...init.headers, cookie: this.cookies(url.pathname).join('; ') }
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' })
    this.keep(answer.headers.getSetCookie())
    return answer
  }

  /** Returns the first page after redirects, or the address of the callback. */
  async follow(address: string): Promise<{ path: string; answer?: Response }> {
    const { pathname, search } = new URL(address, origin)
    const path = `${pathname}${search}`
    if (pathname === '/auth/callback' || pathname.startsWith('/login')) return { path }
    const answer = await this.fetch(path)
    const location = answer.headers.get('location')
    return location ? this.follow(new URL(location, new URL(path, origin)).href) : { path, answer }
  }
}

async function leave(browser: Browser): Promise<string> {
  const wish = { redirect: '/users', remember: false, login_hint: EMAIL }
  const departure = await startSignIn(requestWith(browser.cookies('/')), 'default', wish, database.app)
  if (!departure) throw new Error('There is no default pool')
  expect(departure.is_foreign).toBe(false)
  browser.keep(departure.cookies)
  return (await browser.follow(departure.location)).path
}

async function typePassword(browser: Browser): Promise<string> {
  const answer = await browser.fetch('/login/signIn', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: EMAIL, password: PASSWORD }),
  })
  const { redirect_to } = (await answer.json()) as { redirect_to: string }
  return (await browser.follow(redirect_to)).path
}

async function arrive(browser: Browser, path: string): Promise<Arrival> {
  const arrival = await finishSignIn(requestWith(browser.cookies('/'), path), database.app)
  browser.keep(arrival.cookies)
  return arrival
}

async function signedIn(): Promise<Browser> {
  const browser = new Browser()
  expect(await leave(browser)).toBe('/login/signIn')
  expect(await arrive(browser, await typePassword(browser))).toMatchObject({
    kind: 'signed_in',
    redirect: '/users',
  })
  return browser
}

const visit = (browser: Browser) => findVisit(requestWith(browser.cookies('/')), database.app)
async function sessionOf(browser: Browser) {
  const session = await findSession(requestWith(browser.cookies('/')), database.app)
  if (!session) throw new Error('There is no session')
  return session
}
const age = async (browser: Browser) =>
  stage
    .updateTable('sessions')
    .set({ access_expires_at: new Date(Date.now() - 1000) })
    .where('id_hash', '=', (await sessionOf(browser)).id_hash)
    .execute()

describe('A new authenticator app', () => {
  it('shows no secret before its setup has started', async () => {
    const [row] = await stage.selectFrom('users').select(['id', 'tenant_id']).execute()
    const actor = { ...systemActor(row?.tenant_id ?? ''), user_id: row?.id ?? 0 }
    const asking = { accounts: identity.accounts, ip: '127.0.0.1', isDemo: false }
    const look = () => inScope(database.app, actor, (scope) => getAppSetUp(scope, asking))
    await expect(look()).rejects.toMatchObject({ status: 404 })
    await inScope(database.app, actor, (scope) => setUpApp(scope, asking, PASSWORD))
    expect((await look()).uri).toContain('otpauth://')
  })

  it('has a secret that is not stored under the idempotency key of the request', async () => {
    const browser = await signedIn()
    const { access_token } = await sessionOf(browser)
    setOwnAccounts(identity.accounts)
    // Imported late, since the import reads the configuration.
    const { createApi } = await import('#app/api/app.server.ts')
    const begin = () =>
      createApi({ database: () => database.app }).request('/api/v1/users/me/security/app', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${access_token}`,
          'content-type': 'application/json',
          'idempotency-key': 'app-1',
        },
        body: JSON.stringify({ password: PASSWORD }),
      })
    const answer = await begin()
    expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([
      201,
      expect.arrayContaining(['secret']),
    ])
    expect((await begin()).headers.get('idempotency-replayed')).toBeNull()
    expect(await stage.selectFrom('idempotency_keys').select('key').execute()).toEqual([])
  })
})

describe('With the embedded provider', () => {
  it('browsers use the public origin, and the server’s own calls stay on the machine', async () => {
    const [pool] = await embeddedPools(database.app)
    if (!pool) throw new Error('There is no pool')
    expect(issuerOf(pool)).toBe(`${origin}/idp/default`)
    const own = origin.replace('localhost', '127.0.0.1')
    expect(endpointsOf(pool)).toEqual({
      authorization: `${origin}/idp/default/oauth2/authorize`,
      token: `${own}/idp/default/oauth2/token`,
      revocation: `${own}/idp/default/oauth2/revoke`,
      end_session: `${origin}/idp/default/logout`,
      jwks: `${own}/idp/default/.well-known/jwks.json`,
    })
  })

  it('the access token of a session is accepted as a bearer token, and its ID token is not', async () => {
    const browser = await signedIn()
    const { access_token, id_token } = await sessionOf(browser)
    expect(await verifyBearer(database.app, access_token)).toMatchObject({ email: EMAIL })
    await expect(verifyBearer(database.app, id_token ?? '')).rejects.toThrow()
  })

  it('a code works once, and only in the browser that began the sign-in', async () => {
    const browser = new Browser()
    await leave(browser)
    const callback = await typePassword(browser)
    const thief = new Browser()
    await leave(thief)
    expect((await arrive(thief, callback)).kind).toBe('lost')
    // The failed attempt used up the state: the person starts again, and is signed in without typing a password.
    expect((await arrive(browser, callback)).kind).toBe('lost')
    const again = await leave(browser)
    expect(again.startsWith('/auth/callback?')).toBe(true)
    expect((await arrive(browser, again)).kind).toBe('signed_in')
    expect((await arrive(browser, again)).kind).toBe('lost')
  })

  it('tokens are renewed three times in a row', async () => {
    const browser = await signedIn()
    const seen = new Set<string>()
    for (let i = 0; i < 3; i++) {
      await age(browser)
      expect(await visit(browser)).toMatchObject({ kind: 'visitor' })
      const { access_token, access_expires_at } = await sessionOf(browser)
      expect(access_expires_at.getTime()).toBeGreaterThan(Date.now() + 3_500_000)
      await verifyBearer(database.app, access_token)
      seen.add(access_token)
    }
    expect(seen.size).toBe(3)
  })

  it('a person stays signed in if the answer to a renewal was lost', async () => {
    const browser = await signedIn()
    const { id_hash } = await sessionOf(browser)
    const row = stage.selectFrom('sessions').selectAll().where('id_hash', '=', id_hash)
    const before = await row.executeTakeFirstOrThrow()
    await age(browser)
    expect(await visit(browser)).toMatchObject({ kind: 'visitor' })
    await stage.updateTable('sessions').set(before).where('id_hash', '=', id_hash).execute()
    await age(browser)
    expect(await visit(browser)).toMatchObject({ kind: 'visitor' })
  })

  it('signing out everywhere, a new password and disabling an account end a session at the next request', async () => {
    const { admin } = identity
    const account = { pool: 'default', sub }
    for (const end of [
      () => admin.signOutEverywhere(account),
      () => admin.setPassword({ pool: 'default', email: EMAIL, password: PASSWORD }),
      () => admin.setEnabled({ ...account, enabled: false }),
    ]) {
      const browser = await signedIn()
      const bystander = await countSessions(stage)
      expect(await visit(browser)).toMatchObject({ kind: 'visitor' })
      await end()
      expect(await visit(browser)).toMatchObject({ kind: 'stranger' })
      expect(await countSessions(stage)).toBeLessThan(bystander)
      await admin.setEnabled({ ...account, enabled: true })
    }
  })

  it('logging out ends the provider’s session too, and redirects to /login', async () => {
    const browser = await signedIn()
    const session = await sessionOf(browser)
    const leaving = await signOut(session, database.app)
    browser.keep(leaving.cookies)
    expect(leaving.location).toBe(`${origin}/login`)
    expect((await browser.follow(leaving.location)).path).toBe('/login')
    await expect(verifyBearer(database.app, session.access_token)).rejects.toThrow('signed out')
    expect(await leave(browser)).toBe('/login/signIn')
  })
})

describe('Where administrators need a second factor', () => {
  it('an administrator without one gets 403, except for their own account, until it is set up', async () => {
    // Imported when the origin is known, since the API reads it once.
    const { createApi } = await import('#app/api/app.server.ts')
    const { access_token } = await sessionOf(await signedIn())
    const call = async (path: string) => {
      const headers = { authorization: `Bearer ${access_token}` }
      const answer = await createApi({ database: () => database.app }).request(`/api/v1${path}`, { headers })
      return { status: answer.status, text: await answer.text() }
    }
    const [person] = await stage.selectFrom('users').select(['id', 'tenant_id']).execute()
    const { id: user_id = 0, tenant_id = '' } = person ?? {}
    const settle = (settings: object) =>
      stage
        .updateTable('tenants')
        .set({ settings: JSON.stringify(settings) })
        .execute()
    await stage.updateTable('users').set({ accepted_terms_on: new Date() }).execute()
    setOwnAccounts(identity.accounts)
    try {
      await settle({ admins_need_second_factor: true })
      await stage.insertInto('user_general_roles').values({ tenant_id, user_id, role: 'user' }).execute()
      expect((await call('/users')).status).toBe(200)
      await stage.insertInto('user_general_roles').values({ tenant_id, user_id, role: 'admin' }).execute()
      for (const path of ['/users', `/users/${user_id}`, '/tenants', '/notifications', '/lljs']) {
        const { status, text } = await call(path)
        expect([path, status, text.includes('Set up a second factor first')]).toEqual([path, 403, true])
      }
      for (const path of ['/users/me', '/users/me/security', `/users/${user_id}/data_export`])
        expect([path, (await call(path)).status]).toEqual([path, 200])
      await settle({})
      expect((await call('/users')).status).toBe(200)
      await settle({ admins_need_second_factor: true })
      const proof = { pool: 'default', sub, password: PASSWORD, ip: '127.0.0.1' }
      const { secret } = await identity.accounts.setUpTOTP(proof)
      await identity.accounts.verifyTOTPSetup({ ...proof, code: await generate({ secret }) })
      expect((await call('/users')).status).toBe(200)
    } finally {
      setOwnAccounts(undefined)
    }
  })
})

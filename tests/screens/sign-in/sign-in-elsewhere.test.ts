/** A company changes to its own provider, a foreign one here: without JavaScript. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '#app/db/connect.server.ts'
import { CLIENT, type ForeignProvider, startForeignProvider } from '#tests/fakes/foreign-provider.ts'
import { shown } from '#tests/support/shown.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import { Visitor } from '#tests/support/visitor.ts'
import { leadingAway, passThrough } from './foreign-pages.ts'

const SOFIA = 'sofia@liftwell.example'
const ADAM = 'adam@northwind.example'
let site: Site
let foreign: ForeignProvider
let stage: ReturnType<typeof connect>
let northwind: string

beforeAll(async () => {
  site = await openSite()
  foreign = await startForeignProvider(site.origin)
  await foreign.addAccount('adam-there', { email: ADAM, email_verified: true })
  await foreign.addAccount('nobody-here', { email: 'nobody@northwind.example', email_verified: true })
  stage = connect(site.adminUrl, { max: 1 })
  const { rows } = await sql<{ id: string }>`select tenant_id as id from users where email = ${ADAM}`.execute(
    stage,
  )
  northwind = rows[0]?.id ?? ''
})
afterAll(async () => {
  await stage.destroy()
  await foreign.stop()
  await site.close()
})

const page = () => `/tenants/${northwind}/sign-in`
const form = (more: Record<string, string> = {}) => ({
  kind: 'oidc',
  login_mode: 'redirect',
  issuer: foreign.issuer,
  ...CLIENT,
  recognise_by_email: 'verified',
  ...more,
})
const typedIn = (html: string, name: string) =>
  new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0].match(/value="([^"]*)"/)?.[1]

/** Goes up to the page that leads to the provider. */
async function leave(visitor: Visitor, redirect = '/'): Promise<string> {
  const login = await visitor.submit(`/login?redirect=${encodeURIComponent(redirect)}`, { email: ADAM })
  const html = await (await visitor.visit(login.headers.get('location') ?? '')).text()
  return leadingAway(html)
}

async function signIn(sub: string, redirect = '/') {
  const visitor = await site.visitor()
  const there = new Visitor(foreign.issuer)
  const answer = await visitor.visit(await passThrough(site, there, await leave(visitor, redirect), sub))
  return { visitor, there, answer }
}

describe('A super admin', () => {
  it('lets the issuer fill in the fields, tests them, and saves them', async () => {
    const sofia = await site.visitor(SOFIA)
    expect(await (await sofia.visit(`/tenants/edit/${northwind}`)).text()).toContain(`href="${page()}"`)

    const found = await (await sofia.submit(page(), form({ intent: 'discover' }))).text()
    expect(shown(found)).toContain(`${site.origin}/auth/callback`)
    expect(typedIn(found, 'token_endpoint')).toBe(`${foreign.issuer}/token`)
    expect(found).not.toContain(CLIENT.client_secret)
    const addresses = Object.fromEntries(
      [
        'authorization_endpoint',
        'token_endpoint',
        'jwks_uri',
        'revocation_endpoint',
        'end_session_endpoint',
      ].map((name) => [name, typedIn(found, name) ?? '']),
    )
    const wrong = await sofia.submit(page(), form({ ...addresses, client_secret: 'wrong', intent: 'test' }))
    expect(await wrong.text()).toContain('the client secret is another one')
    const right = await (await sofia.submit(page(), form({ ...addresses, intent: 'test' }))).text()
    expect(right).toContain('It works')

    const refused = await sofia.submit(page(), form({ issuer: '' }))
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('This field is required')
    const saved = await sofia.submit(page(), form(addresses))
    expect(saved.headers.get('location')).toBe(`/tenants/edit/${northwind}`)
    const after = await (await sofia.visit(page())).text()
    expect(typedIn(after, 'issuer')).toBe(foreign.issuer)
    expect(after).toContain('One is stored')
    expect(after).not.toContain(CLIENT.client_secret)
  })

  it('alone sees and changes the settings: strangers are sent to /login, other people to /users', async () => {
    const stranger = await site.visitor()
    expect((await stranger.visit(page())).headers.get('location')).toContain('/login')
    const { visitor: adam } = await signIn('adam-there')
    for (const other of [adam, await site.visitor('grace@harbor.example')]) {
      expect((await other.visit(page())).headers.get('location')).toBe('/users')
      expect((await other.submit(page(), form({ kind: 'shared' }))).status).toBe(403)
    }
  })
})

describe('The company’s people', () => {
  it('sign in at the provider, and return to the page they wanted', async () => {
    const { visitor, answer } = await signIn('adam-there', '/users?page=1')
    expect(answer.headers.get('location')).toBe('/users?page=1')
    expect((await visitor.visit('/users')).status).toBe(200)
    const sessions = await (await visitor.visit('/settings/sessions')).text()
    expect(sessions).toContain('This browser')
    // The password is the other provider's.
    expect(sessions).not.toMatch(/change (your )?password/i)
    expect((await signIn('adam-there')).answer.headers.get('location')).toBe('/')
  })

  it('have no password here any more that an administrator could reset', async () => {
    const { visitor } = await signIn('adam-there')
    const uri = await sql<{ id: number }>`select id from users where email = 'uri@northwind.example'`.execute(
      stage,
    )
    const person = `/users/edit/${uri.rows[0]?.id}`
    expect(await (await visitor.visit(person)).text()).not.toMatch(
      /Require a new password|Remove second factor/,
    )
    for (const intent of ['reset_password', 'take_second_factor']) {
      const refused = await visitor.submit(person, { intent })
      expect(refused.status).toBe(409)
      expect(await refused.text()).toContain('The company manages this in its own sign-in.')
    }
  })

  it('have no access when the company does not know them', async () => {
    const { answer } = await signIn('nobody-here')
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('This account has no access to Liftwell')
  })

  it('log out here, then at the provider, and return to the sign-in', async () => {
    const { visitor, there } = await signIn('adam-there')
    const session = visitor.cookies.get('__Host-liftwell') ?? ''
    const first = await visitor.submit('/logout', {})
    // A second press: the browser shows the second answer, which leads to the same place.
    visitor.cookies.set('__Host-liftwell', session)
    const out = await visitor.submit('/logout', {})
    expect([out.status, out.headers.get('refresh')]).toEqual([200, first.headers.get('refresh')])
    const [, seconds, address = ''] = /^(\d+);url=(.+)$/.exec(out.headers.get('refresh') ?? '') ?? []
    expect(seconds).toBe('1')
    const url = new URL(address)
    expect(url.origin + url.pathname).toBe(`${foreign.issuer}/session/end`)
    expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/)
    // If the browser does not follow the refresh, there is a link to the same place.
    expect((await out.text()).replaceAll('&amp;', '&')).toContain(`href="${address}"`)
    const asked = await (await there.visit(url.pathname + url.search)).text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(asked)?.[1] ?? ''
    const ended = await there.submit('/session/end/confirm', { xsrf, logout: 'yes' })
    expect(ended.headers.get('location')).toBe(`${site.origin}/login`)
    expect((await visitor.visit('/users')).headers.get('location')).toContain('/login')
  })

  it('are signed out when the provider no longer renews their tokens', async () => {
    const { visitor } = await signIn('adam-there')
    const due = () => sql`update sessions set refreshed_at = now() - interval '51 minutes'`.execute(stage)
    await due()
    expect((await visitor.visit('/users')).status).toBe(200)
    await foreign.forgetGrants()
    await due()
    const answer = await visitor.visit('/users')
    expect([answer.status, answer.headers.get('location') ?? '']).toEqual([
      302,
      expect.stringContaining('/login'),
    ])
  })

  it('are not signed in by another browser’s state, another nonce, or a code used twice', async () => {
    const visitor = await site.visitor()
    const back = await passThrough(site, new Visitor(foreign.issuer), await leave(visitor), 'adam-there')
    const thief = await site.visitor()
    const stolen = await thief.follow(await thief.visit(back))
    expect(thief.cookies.has('__Host-liftwell')).toBe(false)
    expect(stolen.path).not.toBe('/')
    expect((await visitor.follow(await visitor.visit(back))).path).not.toBe('/')
    expect(visitor.cookies.has('__Host-liftwell')).toBe(false)

    const other = await site.visitor()
    const away = await leave(other)
    await sql`update sign_in_attempts set nonce = 'another'`.execute(stage)
    const answer = await other.visit(await passThrough(site, new Visitor(foreign.issuer), away, 'adam-there'))
    expect(answer.status).toBe(400)
    const said = await answer.text()
    expect(said).toContain('You are not signed in')
    expect(said).not.toContain('begun with')
    expect(other.cookies.has('__Host-liftwell')).toBe(false)

    const listed = await (await (await site.visitor(SOFIA)).visit(page())).text()
    expect(listed).toContain('Last refused sign-ins')
    expect(listed).toContain('The nonce is not the one that this sign-in was begun with.')
    expect(listed).toContain('n**y@northwind.example is the address of nobody in this company')
  })

  it('are told that the sign-in is not configured, without details', async () => {
    await sql`update pools set settings = settings - 'jwks_uri' where id = ${`tenant-${northwind}`}`.execute(
      stage,
    )
    const visitor = await site.visitor()
    const answer = await visitor.submit('/login', { email: ADAM })
    expect(answer.status).toBe(503)
    const html = await answer.text()
    expect(html).toContain('Configuration error (see console) – please contact the administrator')
    expect(html).not.toContain('jwks_uri')
    expect(typedIn(html, 'email')).toBe(ADAM)
    const start = await visitor.follow(await visitor.visit(`/auth/start/tenant-${northwind}`))
    expect(start.html).toContain('Configuration error (see console) – please contact the administrator')
  })
})

describe('A provider that accepts the client secret in the body only', () => {
  let strict: ForeignProvider
  beforeAll(async () => {
    strict = await startForeignProvider(site.origin, 'client_secret_post')
    await strict.addAccount('adam-strictly', { email: ADAM, email_verified: true })
  })
  afterAll(() => strict.stop())

  const strictForm = (more: Record<string, string> = {}) =>
    form({
      issuer: strict.issuer,
      authorization_endpoint: `${strict.issuer}/auth`,
      token_endpoint: `${strict.issuer}/token`,
      jwks_uri: `${strict.issuer}/jwks`,
      revocation_endpoint: `${strict.issuer}/token/revocation`,
      ...more,
    })

  it('is tested in that way, and the other way is reported as wrong', async () => {
    const sofia = await site.visitor(SOFIA)
    const found = await (await sofia.submit(page(), strictForm({ intent: 'discover' }))).text()
    expect(found).toMatch(/<option[^>]*value="client_secret_post"[^>]*selected/)
    const right = await (await sofia.submit(page(), strictForm({ intent: 'test' }))).text()
    expect(right).toContain('It works')
    const wrong = strictForm({ intent: 'test', token_auth_method: 'client_secret_basic' })
    expect(await (await sofia.submit(page(), wrong)).text()).toContain(
      'It does not accept the client secret in a header (client_secret_basic).',
    )
  })

  it('signs people in, renews their sessions and logs them out', async () => {
    const sofia = await site.visitor(SOFIA)
    expect((await sofia.submit(page(), strictForm())).status).toBe(302)
    expect(await (await sofia.visit(page())).text()).toMatch(
      /<option[^>]*value="client_secret_post"[^>]*selected/,
    )
    const visitor = await site.visitor()
    const there = new Visitor(strict.issuer)
    const back = await passThrough(site, there, await leave(visitor), 'adam-strictly')
    expect((await visitor.visit(back)).headers.get('location')).toBe('/')
    await sql`update sessions set refreshed_at = now() - interval '51 minutes'`.execute(stage)
    expect((await visitor.visit('/users')).status).toBe(200)
    const { rows } = await sql`select from sessions s join users u on u.id = s.user_id
      where u.email = ${ADAM} and s.refreshed_at < now() - interval '1 minute'`.execute(stage)
    expect(rows).toEqual([])
    expect((await visitor.submit('/logout', {})).status).toBe(200)
  })
})

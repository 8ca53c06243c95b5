import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { finishSignIn } from '#app/auth/arrival.server.ts'
import { verifyBearer } from '#app/auth/bearer.server.ts'
import { findPoolByEmail } from '#app/auth/pools/pools.server.ts'
import { PoolConfigurationError } from '#app/auth/principal.ts'
import { findSession } from '#app/auth/sessions/sessions.server.ts'
import { poolOfEmail, startSignIn, type Wish } from '#app/auth/sign-in.server.ts'
import { signOut } from '#app/auth/sign-out.server.ts'
import { countSessions, createWorld, requestWith, type World } from './auth-world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

type Tokens = { sub: string; nonce?: string; id?: object; more?: object }

/** Starts a sign-in; the address contains everything that the provider gets. */
async function leave(wish: Partial<Wish> = {}, cookies: string[] = []) {
  const departure = await startSignIn(
    requestWith(cookies),
    'foreign',
    { redirect: '/users?page=2', remember: false, ...wish },
    world.db,
  )
  if (!departure) throw new Error('There is no such pool')
  const search = new URL(departure.location).searchParams
  const ask = (name: string) => search.get(name) ?? ''
  return { ...departure, ask, state: ask('state'), nonce: ask('nonce') }
}

/** Makes the provider issue these tokens for the next code. */
function grant({ sub, nonce, id = {}, more = {} }: Tokens): void {
  const { issuer } = world
  issuer.token.answer = async () => ({
    status: 200,
    body: {
      access_token: await issuer.accessToken(sub),
      id_token: await issuer.idToken(sub, { nonce, ...id }),
      refresh_token: 'refresh',
      token_type: 'Bearer',
      expires_in: 3600,
      ...more,
    },
  })
}

const comeBack = (state: string, cookies: string[], more = '&code=abc') =>
  finishSignIn(requestWith(cookies, `/auth/callback?state=${state}${more}`), world.db)

async function signIn(who: keyof World['people'], wish: Partial<Wish> = {}) {
  const left = await leave(wish)
  grant({ sub: world.people[who].sub, nonce: left.nonce })
  return comeBack(left.state, left.cookies)
}

describe('Starting a sign-in at the provider', () => {
  it('asks for a code with PKCE, a state, a nonce and the typed e-mail address', async () => {
    const { location, cookies, ask } = await leave({ login_hint: 'adam@example.com' })
    expect(location.startsWith(`${world.issuer.url}/authorize?`)).toBe(true)
    expect(ask('response_type')).toBe('code')
    expect(ask('client_id')).toBe('liftwell')
    expect(ask('redirect_uri')).toBe('http://localhost:3000/auth/callback')
    expect(ask('code_challenge_method')).toBe('S256')
    expect(ask('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(ask('state')).toMatch(/^[\w-]{43}$/)
    expect(ask('nonce')).toMatch(/^[\w-]{43}$/)
    expect(ask('scope')).toContain('openid')
    expect(ask('login_hint')).toBe('adam@example.com')
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(/^__Host-oauth:[\w-]+=/)
    for (const part of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', 'Max-Age=900'])
      expect(cookies[0]).toContain(part)
  })

  it('uses a new state each time, and keeps at most eight cookies', async () => {
    const cookies: string[] = []
    const states = new Set<string>()
    for (let i = 0; i < 12; i++) {
      const left = await leave(
        {},
        cookies.filter((one) => !one.includes('Max-Age=0')),
      )
      states.add(left.state)
      for (const one of left.cookies) {
        const name = one.split('=')[0] ?? ''
        if (!one.includes('Max-Age=0')) cookies.push(one)
        else
          cookies.splice(
            cookies.findIndex((kept) => kept.startsWith(`${name}=`)),
            1,
          )
      }
    }
    expect(states.size).toBe(12)
    expect(cookies.length).toBeLessThanOrEqual(8)
  })

  it('replaces a redirect to another site with /', async () => {
    const { state } = await leave({ redirect: '//evil.example' })
    const row = await world.stage
      .selectFrom('sign_in_attempts')
      .select('redirect_to')
      .where('state', '=', state)
      .executeTakeFirst()
    expect(row?.redirect_to).toBe('/')
  })

  it('returns null for an unknown pool', async () => {
    expect(
      await startSignIn(requestWith([]), 'nowhere', { redirect: '/', remember: false }, world.db),
    ).toBeNull()
  })

  it('finds the pool of an e-mail address, and the default pool for an unknown address', async () => {
    const { stage, db, globex } = world
    const use = (pool_id: string) =>
      stage.updateTable('tenants').set({ pool_id }).where('id', '=', globex).execute()
    await use('other')
    expect((await findPoolByEmail(db, 'GINA@example.com'))?.id).toBe('other')
    await use('foreign')
    expect((await findPoolByEmail(db, 'adam@example.com'))?.id).toBe('foreign')
    expect((await findPoolByEmail(db, 'nobody@example.com'))?.id).toBe('foreign')
    expect((await findPoolByEmail(db, "' or 1=1 --"))?.id).toBe('foreign')
  })
})

describe('Coming back from the provider', () => {
  it('signs the person in with a session and PKCE, and leads to the requested page', async () => {
    const left = await leave()
    grant({ sub: world.people.adam.sub, nonce: left.nonce })
    const arrival = await comeBack(left.state, left.cookies)
    expect(arrival).toMatchObject({ kind: 'signed_in', redirect: '/users?page=2' })
    expect(arrival.cookies.some((one) => /^__Host-oauth:.*Max-Age=0$/.test(one))).toBe(true)
    const session = await findSession(requestWith(arrival.cookies), world.db)
    expect(session).toMatchObject({
      principal: { email: 'adam@example.com' },
      refresh_token: 'refresh',
      remember: false,
    })
    const exchange = world.issuer.calls.filter(({ path }) => path === '/token').at(-1)?.body
    expect(exchange?.get('code')).toBe('abc')
    const verifier = exchange?.get('code_verifier') ?? ''
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(left.ask('code_challenge'))
    expect(exchange?.get('redirect_uri')).toBe('http://localhost:3000/auth/callback')
  })

  it('keeps the session cookie for 30 days if the person asked to be remembered', async () => {
    const { cookies } = await signIn('adam', { remember: true })
    expect(cookies.find((one) => one.startsWith('__Host-liftwell='))).toMatch(
      /Max-Age=25919\d\d|Max-Age=2592000/,
    )
  })

  it('replaces the previous session of the browser', async () => {
    const first = await signIn('adam')
    const left = await leave({}, first.cookies)
    grant({ sub: world.people.uri.sub, nonce: left.nonce })
    const second = await comeBack(left.state, [...first.cookies, ...left.cookies])
    expect(await findSession(requestWith(first.cookies), world.db)).toBeNull()
    expect(await findSession(requestWith(second.cookies), world.db)).toMatchObject({
      principal: { email: 'uri@example.com' },
    })
  })

  it('activates an invited person', async () => {
    await signIn('ivan')
    const row = await world.stage
      .selectFrom('users')
      .select('activation_status')
      .where('id', '=', world.people.ivan.id)
      .executeTakeFirst()
    expect(row?.activation_status).toBe('active')
  })
})

describe('A provider that signs with a new key', () => {
  it('is trusted at once, even just after its keys were fetched or could not be fetched', async () => {
    const { issuer } = world
    expect((await signIn('uri')).kind).toBe('signed_in')
    for (const are_away of [false, true]) {
      await issuer.rotate()
      if (are_away) {
        issuer.keys.are_away = true
        expect((await signIn('uri')).kind).toBe('provider_away')
        issuer.keys.are_away = false
      }
      expect((await signIn('uri')).kind).toBe('signed_in')
    }
  })

  it('is asked for its keys at most once for five tokens with unknown key ids', async () => {
    const asked = () => world.issuer.calls.filter(({ path }) => path === '/jwks').length
    await signIn('uri')
    await world.issuer.rotate()
    expect((await signIn('uri')).kind).toBe('signed_in')
    const before = asked()
    for (let at = 0; at < 5; at += 1) {
      const forged = await world.issuer.accessToken(world.people.uri.sub, {}, { kid: `nobody-${at}` })
      await expect(verifyBearer(world.db, forged)).rejects.toThrow('not among the provider')
    }
    expect(asked() - before).toBeLessThanOrEqual(1)
  })
})

describe('A person whose identity at the provider is not stored yet', () => {
  const identities = () =>
    world.stage
      .selectFrom('user_identities')
      .select(['issuer', 'subject'])
      .where('user_id', '=', world.people.gina.id)
      .execute()
  const forget = () =>
    world.stage.deleteFrom('user_identities').where('user_id', '=', world.people.gina.id).execute()
  async function arrive(sub: string, id: object) {
    const left = await leave()
    grant({ sub, nonce: left.nonce, id })
    return comeBack(left.state, left.cookies)
  }
  const recognition = (recognise_by_email: string) =>
    world.stage
      .updateTable('pools')
      .set({ settings: JSON.stringify({ ...world.issuer.settings, recognise_by_email }) })
      .where('id', '=', 'foreign')
      .execute()

  it('is recognized once, by their verified e-mail address', async () => {
    await forget()
    const verified = { email: 'Gina@Example.com', email_verified: true }
    expect((await arrive('gina-there', verified)).kind).toBe('signed_in')
    expect(await identities()).toEqual([{ issuer: world.issuer.url, subject: 'gina-there' }])
    // The address identifies the person only once: its next owner can be someone else.
    expect((await arrive('another-there', verified)).kind).toBe('no_access')
    expect((await arrive('gina-there', { email: 'new@example.com' })).kind).toBe('signed_in')
  })

  it('is recognized by an unverified address only if the pool allows any, and by none if it says never', async () => {
    for (const claims of [{}, { email_verified: false }, { email_verified: 'yes' }]) {
      await forget()
      expect((await arrive('g', { email: 'gina@example.com', ...claims })).kind).toBe('unverified')
    }
    await recognition('any')
    expect((await arrive('g', { email: 'gina@example.com' })).kind).toBe('signed_in')
    await forget()
    await recognition('never')
    expect((await arrive('g', { email: 'gina@example.com', email_verified: true })).kind).toBe('no_access')
    await recognition('verified')
  })

  it('is not recognized through a pool that the tenant does not use, nor when disabled', async () => {
    const { stage, globex, people } = world
    await forget()
    const verified = { email: 'gina@example.com', email_verified: true }
    await stage.updateTable('tenants').set({ pool_id: 'other' }).where('id', '=', globex).execute()
    expect((await arrive('g', verified)).kind).toBe('no_access')
    await stage.updateTable('tenants').set({ pool_id: 'foreign' }).where('id', '=', globex).execute()
    const status = (activation_status: string) =>
      stage.updateTable('users').set({ activation_status }).where('id', '=', people.gina.id).execute()
    await status('disabled')
    expect((await arrive('g', verified)).kind).toBe('no_access')
    await status('active')
    await stage
      .insertInto('user_identities')
      .values({
        tenant_id: globex,
        user_id: people.gina.id,
        issuer: world.issuer.url,
        subject: people.gina.sub,
      })
      .execute()
  })
})

describe('A misconfigured pool', () => {
  const change = (values: object) =>
    world.stage.updateTable('pools').set(values).where('id', '=', 'foreign').execute()

  it('is reported before a person is sent to the provider', async () => {
    const { issuer } = world
    const { jwks_uri: _, ...incomplete } = issuer.settings
    const whole = { issuer: issuer.url, client_id: 'liftwell', client_secret_sealed: null }
    for (const broken of [
      { client_id: '' },
      { issuer: 'nowhere' },
      { client_secret_sealed: 'v1.sealed-elsewhere' },
      { settings: JSON.stringify(incomplete) },
      { settings: JSON.stringify({ ...issuer.settings, token_endpoint: 'javascript:alert(1)' }) },
    ]) {
      await change(broken)
      await expect(leave()).rejects.toThrow(PoolConfigurationError)
      await expect(poolOfEmail('adam@example.com', world.db)).rejects.toThrow(PoolConfigurationError)
      await change({ ...whole, settings: JSON.stringify(issuer.settings) })
    }
    expect((await poolOfEmail('adam@example.com', world.db)).id).toBe('foreign')
  })

  it('is reported as such, not as an expired sign-in, if the provider does not know the client', async () => {
    const left = await leave()
    world.issuer.token.answer = () => ({ status: 401, body: { error: 'invalid_client' } })
    expect((await comeBack(left.state, left.cookies)).kind).toBe('misconfigured')
  })
})

describe('No session is created', () => {
  let before = 0
  beforeEach(async () => {
    before = await countSessions(world.stage)
  })
  const refuse = async (arrival: Awaited<ReturnType<typeof comeBack>>, kind: string) => {
    expect(arrival.kind).toBe(kind)
    expect(arrival.cookies.some((one) => one.startsWith('__Host-liftwell='))).toBe(false)
    expect(await countSessions(world.stage)).toBe(before)
  }

  it('for an unknown subject, even with the verified address of a super admin', async () => {
    const left = await leave()
    const id = { email: 'sofia@example.com', email_verified: true }
    grant({ sub: 'somebody-else', nonce: left.nonce, id })
    await refuse(await comeBack(left.state, left.cookies), 'no_access')
  })

  it('for a person who is disabled or whose tenant is inactive', async () => {
    const { stage, people, globex } = world
    const person = (activation_status: string) =>
      stage.updateTable('users').set({ activation_status }).where('id', '=', people.gina.id).execute()
    await person('disabled')
    await refuse(await signIn('gina'), 'no_access')
    await person('active')
    const company = (status: string) =>
      stage.updateTable('tenants').set({ status }).where('id', '=', globex).execute()
    await company('inactive')
    await refuse(await signIn('gina'), 'no_access')
    await company('active')
  })

  it('for a person whose only sub-tenant is inactive', async () => {
    const { stage, north } = world
    const part = (status: string) =>
      stage.updateTable('sub_tenants').set({ status }).where('id', '=', north).execute()
    await part('inactive')
    await refuse(await signIn('solo'), 'no_access')
    await part('active')
  })

  it('for a state that is missing, unknown, from another browser, used or expired', async () => {
    const { stage } = world
    await refuse(await comeBack('made-up', []), 'lost')
    await refuse(await finishSignIn(requestWith([], '/auth/callback?code=abc'), world.db), 'lost')

    const left = await leave()
    grant({ sub: world.people.adam.sub, nonce: left.nonce })
    await refuse(await comeBack(left.state, []), 'lost')

    const foreign = await leave()
    const own = await leave()
    grant({ sub: world.people.adam.sub, nonce: foreign.nonce })
    await refuse(await comeBack(foreign.state, own.cookies), 'lost')

    const old = await leave()
    await stage
      .updateTable('sign_in_attempts')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('state', '=', old.state)
      .execute()
    await refuse(await comeBack(old.state, old.cookies), 'lost')

    const used = await leave()
    grant({ sub: world.people.adam.sub, nonce: used.nonce })
    expect((await comeBack(used.state, used.cookies)).kind).toBe('signed_in')
    before += 1
    await refuse(await comeBack(used.state, used.cookies), 'lost')
  })

  it('for a code that the provider refuses, but pool and target are kept for another attempt', async () => {
    const left = await leave()
    world.issuer.token.answer = () => ({ status: 400, body: { error: 'invalid_grant' } })
    const arrival = await comeBack(left.state, left.cookies)
    expect(arrival).toMatchObject({
      kind: 'lost',
      attempt: { pool_id: 'foreign', redirect_to: '/users?page=2' },
    })
    await refuse(arrival, 'lost')
  })

  it('while the provider is unavailable or answers nonsense', async () => {
    for (const answer of [
      { status: 503, body: {} },
      { status: 400, body: [] },
      { status: 200, body: {} },
      { status: 200, body: 'nonsense' as unknown as object },
    ]) {
      const left = await leave()
      world.issuer.token.answer = () => answer
      await refuse(await comeBack(left.state, left.cookies), 'provider_away')
    }
  })

  it('if the provider answers with an error or without a code', async () => {
    for (const more of ['&error=access_denied', '&error=login_required&error_description=x', '']) {
      const left = await leave()
      await refuse(await comeBack(left.state, left.cookies, more), 'refused')
    }
  })

  it('for an answer that names another issuer (RFC 9207)', async () => {
    const left = await leave()
    grant({ sub: world.people.adam.sub, nonce: left.nonce })
    const more = `&code=abc&iss=${encodeURIComponent('https://evil.example')}`
    await refuse(await comeBack(left.state, left.cookies, more), 'refused')
  })

  it('for an answer without an issuer, if the provider has announced that it sends one', async () => {
    const { issuer, people, stage } = world
    const promise = (authorization_response_iss_parameter_supported: boolean) =>
      stage
        .updateTable('pools')
        .set({
          settings: JSON.stringify({ ...issuer.settings, authorization_response_iss_parameter_supported }),
        })
        .where('id', '=', 'foreign')
        .execute()
    await promise(true)
    const left = await leave()
    grant({ sub: people.adam.sub, nonce: left.nonce })
    const arrival = await comeBack(left.state, left.cookies)
    expect(arrival.why?.reason).toContain('does not say from which issuer')
    await refuse(arrival, 'refused')
    await promise(false)
  })

  it('for an ID token with a wrong nonce, audience, issuer, time or use, or without a subject', async () => {
    const { issuer, people } = world
    const now = issuer.now()
    const wrong: object[] = [
      { nonce: 'another' },
      { nonce: undefined },
      { aud: 'someone' },
      { aud: ['liftwell', 'someone'] },
      { aud: ['liftwell', 'someone'], azp: 'someone' },
      { iss: 'https://evil.example' },
      { exp: now - 120 },
      { exp: undefined },
      { iat: now + 120 },
      { token_use: 'access' },
      { sub: undefined },
    ]
    for (const id of wrong) {
      const left = await leave()
      grant({ sub: people.adam.sub, nonce: left.nonce, id })
      await refuse(await comeBack(left.state, left.cookies), 'refused')
    }
  })

  it('for an ID token that is missing, garbage, or signed with the client secret', async () => {
    const { people, issuer } = world
    for (const forge of [
      () => undefined,
      () => 'a.b.c',
      (nonce: string) =>
        new SignJWT({ nonce })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer(issuer.url)
          .setAudience('liftwell')
          .setSubject(people.adam.sub)
          .setIssuedAt()
          .setExpirationTime('1h')
          .sign(new TextEncoder().encode('liftwell-liftwell-liftwell-liftwell')),
    ]) {
      const left = await leave()
      grant({ sub: people.adam.sub, nonce: left.nonce, more: { id_token: await forge(left.nonce) } })
      await refuse(await comeBack(left.state, left.cookies), 'refused')
    }
  })
})

describe('Signing out', () => {
  it('ends the session and its tokens, here and at the provider, and leads through it to /login', async () => {
    const { db, issuer } = world
    const { cookies } = await signIn('adam')
    const session = await findSession(requestWith(cookies), db)
    if (!session) throw new Error('There is no session')
    issuer.calls.length = 0
    const leaving = await signOut(session, db)

    expect(await findSession(requestWith(cookies), db)).toBeNull()
    await expect(verifyBearer(db, session.access_token)).rejects.toThrow('signed out')
    expect(issuer.calls.map(({ path, body }) => [path, body.get('token')])).toEqual([['/revoke', 'refresh']])
    expect(leaving.cookies[0]).toMatch(/^__Host-liftwell=; .*Max-Age=0$/)
    const url = new URL(leaving.location)
    expect(`${url.origin}${url.pathname}`).toBe(`${issuer.url}/logout`)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe('http://localhost:3000/login')
    expect(url.searchParams.get('id_token_hint')).toBe(session.id_token)
  })

  it('ends the session before the provider is told, and even if it cannot be reached', async () => {
    const { db, stage, issuer } = world
    const settings = (revocation_endpoint: string) =>
      stage
        .updateTable('pools')
        .set({ settings: JSON.stringify({ ...issuer.settings, revocation_endpoint }) })
        .where('id', '=', 'foreign')
        .execute()
    for (const endpoint of [issuer.settings.token_endpoint, 'http://127.0.0.1:1/revoke']) {
      const { cookies } = await signIn('adam')
      const find = () => findSession(requestWith(cookies), db)
      const session = await find()
      const atThatTime: unknown[] = []
      issuer.token.answer = async () => {
        atThatTime.push(await find())
        return { status: 200, body: {} }
      }
      await settings(endpoint)
      if (session) await signOut(session, db)
      expect(await find()).toBeNull()
      expect(atThatTime).toEqual(endpoint === issuer.settings.token_endpoint ? [null] : [])
    }
    await settings(issuer.settings.revocation_endpoint)
  })
})

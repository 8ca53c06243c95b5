/** From /login to a session, and out again, with `cognito-local`: on our screens and on its hosted pages. */
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishSignIn } from '#app/auth/arrival.server.ts'
import { refreshOnScreens, revokeOnScreens } from '#app/auth/cognito/session.server.ts'
import { createFrontPort } from '#app/auth/front-port.server.ts'
import type { IdentityPort } from '#app/auth/identity-port.ts'
import { listPools } from '#app/auth/pools/pools.server.ts'
import { UnauthorizedError } from '#app/auth/principal.ts'
import { seal } from '#app/auth/seal.server.ts'
import { findSession } from '#app/auth/sessions/sessions.server.ts'
import { startSignIn } from '#app/auth/sign-in.server.ts'
import { signOut } from '#app/auth/sign-out.server.ts'
import { findVisit } from '#app/auth/visit.server.ts'
import { idle } from '#app/domain/authenticator/state.ts'
import { type CognitoLocal, GAPS, startCognitoLocal } from '#tests/fakes/cognito-local.ts'
import { startNonceKeeper } from '#tests/fakes/cognito-nonce.ts'
import { createWorld, requestWith, type World } from './auth-world.ts'

const PASSWORD = 'correct horse 42 Battery!'
let world: World
let cognito: CognitoLocal
let issuer: string
let client_id: string

beforeAll(async () => {
  world = await createWorld()
  cognito = await startCognitoLocal()
  const its = await cognito.createPool()
  issuer = its.issuer
  client_id = its.client_id
  await world.stage
    .insertInto('pools')
    .values({
      id: 'aws',
      name: 'Elsewhere',
      kind: 'cognito',
      login_mode: 'screens',
      issuer,
      client_id: its.client_id,
      client_secret_sealed: its.client_secret && seal(its.client_secret, 'pool:aws'),
      settings: JSON.stringify({ api_endpoint: cognito.endpoint, social_providers: ['Google'] }),
    })
    .execute()
  await world.stage.updateTable('tenants').set({ pool_id: 'aws' }).where('id', '=', world.globex).execute()
  await cognito.createUser(its.id, 'gina@example.com', PASSWORD)
  await cognito.createUser(its.id, 'stranger@example.com', PASSWORD)
  await cognito.createUser(its.id, 'ivan@example.com')
})
afterAll(async () => {
  await cognito.stop()
  await world.close()
})

const start = (cookies: string[] = [], more: object = {}) =>
  startSignIn(
    requestWith(cookies),
    'aws',
    { redirect: '/analytics', remember: true, login_hint: 'gina@example.com', ...more },
    world.db,
  ).then((departure) => departure ?? expect.fail('There is no such pool'))

const embedded = { current: async () => null } as unknown as IdentityPort
const reported: Error[] = []
const portOf = (cookies: string[]) =>
  createFrontPort(cookies.map((one) => one.split(';')[0]).join('; '), embedded, {
    database: world.db,
    report: (error) => reported.push(error),
  })
const comeBack = (cookies: string[], address: string) => finishSignIn(requestWith(cookies, address), world.db)

describe('On our screens, with a Cognito pool', () => {
  it('a person signs in, gets a session that is renewed, and signs out, which ends their tokens at the pool', async () => {
    const { location, is_foreign, cookies } = await start()
    expect({ location, is_foreign }).toEqual({ location: '/login/signIn', is_foreign: false })
    const port = portOf(cookies)
    expect(await port.current()).toMatchObject({
      pool_id: 'aws',
      saved: null,
      username: 'gina@example.com',
      entrance: 'signIn',
      screens: { sign_up: false, social_providers: ['Google'] },
    })
    await expect(port.complete()).rejects.toThrow('Nobody has signed in yet.')
    expect(await port.signIn({ username: 'gina@example.com', password: PASSWORD })).toEqual({ step: 'DONE' })
    expect(await port.fetchUserAttributes()).toMatchObject({ email_verified: 'true' })
    const { redirect_to } = await port.complete()

    const arrival = await comeBack(cookies, redirect_to)
    expect(arrival).toMatchObject({ kind: 'signed_in', redirect: '/analytics' })
    const session = await findSession(requestWith(arrival.cookies), world.db)
    if (!session) throw new Error('There is no session')
    expect(session).toMatchObject({ remember: true, principal: { email: 'gina@example.com' } })
    expect((await comeBack(cookies, redirect_to)).kind).toBe('lost')

    const due = new Date(Date.now() - 51 * 60 * 1000)
    const age = () => world.stage.updateTable('sessions').set({ refreshed_at: due }).execute()
    await age()
    const visit = await findVisit(requestWith(arrival.cookies), world.db)
    if (visit.kind !== 'visitor') throw new Error(`It is a ${visit.kind}`)
    expect(decodeJwt(visit.session.access_token).jti).not.toBe(decodeJwt(session.access_token).jti)

    const leaving = await signOut(visit.session, world.db)
    expect(leaving.location).toBe('http://localhost:3000/login')
    expect(await findSession(requestWith(arrival.cookies), world.db)).toBeNull()
    const pool = (await listPools(world.db)).find(({ id }) => id === 'aws') ?? expect.fail('There is no pool')
    await expect(refreshOnScreens(pool, visit.session)).rejects.toThrow(UnauthorizedError)
  })

  it('a person whose tokens the pool revoked stays signed in until the next renewal', async () => {
    const { cookies } = await start()
    const port = portOf(cookies)
    await port.signIn({ username: 'gina@example.com', password: PASSWORD })
    const arrival = await comeBack(cookies, (await port.complete()).redirect_to)
    const session = await findSession(requestWith(arrival.cookies), world.db)
    const pool = (await listPools(world.db)).find(({ id }) => id === 'aws')
    if (!session?.refresh_token || !pool) throw new Error('There is no session')
    await revokeOnScreens(pool, session.refresh_token)
    expect((await findVisit(requestWith(arrival.cookies), world.db)).kind).toBe('visitor')

    const due = new Date(Date.now() - 51 * 60 * 1000)
    await world.stage.updateTable('sessions').set({ refreshed_at: due }).execute()
    expect((await findVisit(requestWith(arrival.cookies), world.db)).kind).toBe('stranger')
    expect(await findSession(requestWith(arrival.cookies), world.db)).toBeNull()
  })

  it('a person known to the pool but not to the tenant has no access', async () => {
    const { cookies } = await start()
    const port = portOf(cookies)
    await port.signIn({ username: 'stranger@example.com', password: PASSWORD })
    const { redirect_to } = await port.complete()
    expect((await comeBack(cookies, redirect_to)).kind).toBe('no_access')
  })

  it('a callback without a completed sign-in is refused', async () => {
    const { cookies } = await start()
    const state = /state=([\w-]+)/.exec(cookies[0] ?? '')?.[1]
    expect((await comeBack(cookies, `/auth/callback?state=${state}&code=screens`)).kind).toBe('refused')
  })

  it('the current step survives a reload, and is forgotten on cancel', async () => {
    const { cookies } = await start()
    const asked = { username: 'ivan@example.com', password: 'Temporary-1' }
    expect((await portOf(cookies).signIn(asked)).step).toBe('CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED')
    await portOf(cookies).save({ ...idle('ivan@example.com'), route: 'forceNewPassword' })
    expect(await portOf(cookies).current()).toMatchObject({ saved: { route: 'forceNewPassword' } })
    await portOf(cookies).cancel()
    expect(await portOf(cookies).current()).toMatchObject({ saved: null })
    const late = portOf(cookies).confirmSignIn({ challenge_response: PASSWORD })
    await expect(late).rejects.toThrow('session is expired')
  })

  it('the screens belong to the newest sign-in of the browser', async () => {
    const first = await start()
    const second = await start(first.cookies, { login_hint: 'second@example.com' })
    const both = [...first.cookies, ...second.cookies]
    expect(await portOf(both).current()).toMatchObject({ username: 'second@example.com' })
    const elsewhere = await startSignIn(
      requestWith(both),
      'foreign',
      { redirect: '/', remember: false },
      world.db,
    )
    expect(await portOf([...both, ...(elsewhere?.cookies ?? [])]).current()).toBeNull()
    expect(await portOf([]).current()).toBeNull()
  })

  it('tokens, e-mail address and password are not readable in the database during a sign-in', async () => {
    const { cookies } = await start()
    await portOf(cookies).signIn({ username: 'gina@example.com', password: PASSWORD })
    const rows = await world.stage.selectFrom('sign_in_attempts').select('progress_sealed').execute()
    expect(rows.length).toBeGreaterThan(0)
    // Encrypted values are random letters, so they can contain short words by chance.
    expect(JSON.stringify(rows)).not.toMatch(/eyJ[\w-]{8,}\.eyJ|gina@|correct/)
  })

  it('a social provider of the pool is opened directly, and another one leads to our screens', async () => {
    const { location, is_foreign } = await start([], { identity_provider: 'Google' })
    expect(is_foreign).toBe(true)
    expect(new URL(location).searchParams.get('identity_provider')).toBe('Google')
    expect((await start([], { identity_provider: 'Facebook' })).location).toBe('/login/signIn')
  })

  it('an unavailable or misconfigured pool gives a message for the screen, and is reported', async () => {
    const settings = (api_endpoint: string) =>
      world.stage
        .updateTable('pools')
        .set({ settings: JSON.stringify({ api_endpoint }) })
        .where('id', '=', 'aws')
        .execute()
    const { cookies } = await start()
    await settings('http://127.0.0.1:1')
    const asked = portOf(cookies).signIn({ username: 'a@example.com', password: 'b' })
    await expect(asked).rejects.toThrow('The sign-in service does not answer right now.')
    await settings(cognito.endpoint)
    await world.stage.updateTable('pools').set({ client_id: 'nobody' }).where('id', '=', 'aws').execute()
    await expect(portOf(cookies).signIn({ username: 'a@example.com', password: 'b' })).rejects.toThrow(
      'Configuration error (see console) – please contact the administrator',
    )
    expect(reported.map(({ name }) => name)).toEqual(['ProviderAwayError', 'PoolConfigurationError'])
  })
})

describe('On the hosted pages of a Cognito pool', () => {
  const hosted = (domain = cognito.endpoint) =>
    world.stage
      .updateTable('pools')
      .set({
        login_mode: 'redirect',
        client_id,
        client_secret_sealed: null,
        settings: JSON.stringify({ domain }),
      })
      .where('id', '=', 'aws')
      .execute()

  /** Signs in on the hosted pages; returns the address that leads back. */
  async function signInThere(location: string): Promise<string> {
    const asked = await (await fetch(location)).text()
    const fields = [...asked.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ])
    const typed = [...fields, ['username', 'gina@example.com'], ['password', PASSWORD]] as [string, string][]
    const there = new URL('/oauth2/authorize', location)
    const answer = await fetch(there, {
      method: 'POST',
      body: new URLSearchParams(typed),
      redirect: 'manual',
    })
    const back = new URL(answer.headers.get('location') ?? '')
    expect(back.pathname).toBe('/auth/callback')
    return back.pathname + back.search
  }

  it(`a sign-in without a nonce in the ID token is refused (cognito-local: ${GAPS.nonce})`, async () => {
    await hosted()
    const { location, is_foreign, cookies } = await start()
    expect(is_foreign).toBe(true)
    expect(location.startsWith(`${cognito.endpoint}/oauth2/authorize?`)).toBe(true)
    expect((await comeBack(cookies, await signInThere(location))).kind).toBe('refused')
  })

  it('an ID token with the nonce signs the person in once, in the browser that began the sign-in', async () => {
    const keeper = await startNonceKeeper(cognito.endpoint)
    try {
      await hosted(keeper.url)
      const { location } = await start()
      expect(location.startsWith(`${keeper.url}/oauth2/authorize?`)).toBe(true)
      const back = await signInThere(location)
      const stolen = await start()
      expect((await comeBack(stolen.cookies, back)).kind).toBe('lost')

      const again = await start()
      const right = await signInThere(again.location)
      const arrival = await comeBack(again.cookies, right)
      expect(arrival).toMatchObject({ kind: 'signed_in', redirect: '/analytics' })
      const session = await findSession(requestWith(arrival.cookies), world.db)
      expect(session).toMatchObject({ remember: true, principal: { email: 'gina@example.com' } })
      expect((await comeBack(again.cookies, right)).kind).toBe('lost')

      const due = new Date(Date.now() - 51 * 60 * 1000)
      await world.stage.updateTable('sessions').set({ refreshed_at: due }).execute()
      const visit = await findVisit(requestWith(arrival.cookies), world.db)
      if (visit.kind !== 'visitor') throw new Error(`It is a ${visit.kind}`)
      expect(visit.session.access_token).not.toBe(session?.access_token)
    } finally {
      await keeper.stop()
    }
  })

  it('logging out redirects to Cognito’s logout with client_id and logout_uri', async () => {
    await hosted()
    const tokens = { access_token: 'a', refresh_token: null, id_token: 'i' }
    const session = {
      pool_id: 'aws',
      principal: { tenant_id: world.globex, user_id: world.people.gina.id, roles: [] },
      id_hash: Buffer.alloc(32),
      ...tokens,
    }
    const { location } = await signOut(session as never, world.db)
    const url = new URL(location)
    expect(url.origin + url.pathname).toBe(`${cognito.endpoint}/logout`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id,
      logout_uri: 'http://localhost:3000/login',
    })
  })
})

import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientSecret, openSite, POOL, type Site, Visitor } from './identity-site.ts'

const email = 'adam@acme.example'
const password = 'correct horse battery staple'

let site: Site
let sub: string

beforeAll(async () => {
  site = await openSite()
  const account = await site.identity.admin.setPassword({
    pool: POOL,
    email,
    password,
    attributes: { given_name: 'Adam', family_name: 'Ant' },
  })
  sub = account.sub
})
afterAll(() => site.close())

async function tokens(visitor = new Visitor(site), more: Record<string, string> = {}) {
  const { callback, checks } = await visitor.signIn(email, password, more)
  return client.authorizationCodeGrant(site.config, callback, checks)
}

/** Posts a form to an endpoint without the client library. */
async function post(path: string, form: Record<string, string>, secret = clientSecret()) {
  const { client_id } = site.config.clientMetadata()
  const response = await fetch(`${site.origin}/idp/${POOL}${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams(form),
  })
  const text = await response.text()
  return { status: response.status, ...(text ? JSON.parse(text) : {}) } as {
    status: number
    error?: string
    refresh_token?: string
  }
}

const refresh = (token: string | undefined) =>
  post('/oauth2/token', { grant_type: 'refresh_token', refresh_token: token ?? '' })

/** The form that exchanges a code. */
async function exchange(visitor = new Visitor(site)) {
  const { callback, checks } = await visitor.signIn(email, password)
  return {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: site.redirect_uri,
    code_verifier: checks.pkceCodeVerifier,
  }
}

describe('A strict foreign client', () => {
  it('finds all endpoints under the configured origin, whatever host the request claims', async () => {
    const response = await fetch(`${site.origin}/idp/${POOL}/.well-known/openid-configuration`, {
      headers: {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      },
    })
    const found = await response.json()
    const base = `${site.origin}/idp/${POOL}`
    expect(found).toMatchObject({
      issuer: base,
      authorization_endpoint: `${base}/oauth2/authorize`,
      token_endpoint: `${base}/oauth2/token`,
      revocation_endpoint: `${base}/oauth2/revoke`,
      userinfo_endpoint: `${base}/oauth2/userInfo`,
      end_session_endpoint: `${base}/logout`,
      jwks_uri: `${base}/.well-known/jwks.json`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
    })
    expect(JSON.stringify(found)).not.toContain('evil')
    expect(found).not.toHaveProperty('registration_endpoint')
  })

  it('signs in, fetches the user info and refreshes its tokens', async () => {
    const answer = await tokens()
    expect(answer.claims()).toMatchObject({ sub, email, token_use: 'id', aud: 'liftwell' })
    expect(payloadOf(answer.access_token)).toMatchObject({
      sub,
      aud: `${site.origin}/api/v1`,
      client_id: 'liftwell',
      token_use: 'access',
      scope: 'openid email profile',
    })
    expect(answer.expires_in).toBe(3600)

    const info = await client.fetchUserInfo(site.config, answer.access_token, sub)
    expect(info).toEqual({ sub, email, email_verified: true, given_name: 'Adam', family_name: 'Ant' })

    const again = await client.refreshTokenGrant(site.config, answer.refresh_token ?? '')
    expect(again.refresh_token).toBe(answer.refresh_token)
    expect(payloadOf(again.access_token)).toMatchObject({
      sub,
      aud: `${site.origin}/api/v1`,
      token_use: 'access',
    })
  })

  it('finds no private part of a key in the published key set', async () => {
    const { keys } = await (await fetch(`${site.origin}/idp/${POOL}/.well-known/jwks.json`)).json()
    expect(keys).toHaveLength(1)
    expect(keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' })
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(keys[0]).not.toHaveProperty(secret)
  })

  it('gets a code without a new sign-in during a session, except for another address or prompt=login', async () => {
    const visitor = new Visitor(site)
    await tokens(visitor)
    expect((await visitor.start()).location).toContain(`${site.redirect_uri}?code=`)
    expect((await visitor.start({ login_hint: email.toUpperCase() })).location).toContain('?code=')
    expect((await visitor.start({ login_hint: 'aya@acme.example' })).location).toBe('/login/signIn')
    expect((await visitor.start({ prompt: 'login' })).location).toBe('/login/signIn')
  })

  it('can sign in another person over an existing session', async () => {
    await site.identity.admin.setPassword({ pool: POOL, email: 'aya@acme.example', password })
    const visitor = new Visitor(site)
    await tokens(visitor)
    const { callback, checks } = await visitor.signIn('aya@acme.example', password, {
      login_hint: 'aya@acme.example',
    })
    const answer = await client.authorizationCodeGrant(site.config, callback, checks)
    expect(answer.claims()?.email).toBe('aya@acme.example')
  })

  it('gets 401 for the user info with anything but an access token of the same pool', async () => {
    const { id_token, refresh_token, access_token } = await tokens()
    for (const token of [id_token, refresh_token, `${access_token}x`, 'x', '']) {
      const response = await fetch(`${site.origin}/idp/${POOL}/oauth2/userInfo`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain('Bearer')
    }
    const elsewhere = await fetch(`${site.origin}/idp/other/oauth2/userInfo`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect(elsewhere.status).toBe(401)
  })
})

describe('An authorization code', () => {
  it('works once, and a second use revokes the tokens of the first', async () => {
    const form = await exchange()
    const first = await post('/oauth2/token', form)
    expect(first.status).toBe(200)
    expect(await post('/oauth2/token', form)).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(await refresh(first.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  it('works at most once if it is sent ten times at the same moment', async () => {
    const form = await exchange()
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/oauth2/token', form)))
    const good = answers.filter(({ status }) => status === 200)
    expect(good.length).toBeLessThanOrEqual(1)
    expect(answers.filter(({ error }) => error === 'invalid_grant').length).toBe(10 - good.length)
    for (const { refresh_token } of good) expect((await refresh(refresh_token)).status).toBe(400)
  })

  it('needs its own verifier, redirect address and client secret', async () => {
    const form = await exchange()
    const wrong = { status: 400, error: 'invalid_grant' }
    const code_verifier = client.randomPKCECodeVerifier()
    expect(await post('/oauth2/token', { ...form, code_verifier })).toMatchObject(wrong)
    expect(await post('/oauth2/token', { ...form, redirect_uri: `${site.origin}/else` })).toMatchObject(wrong)
    const { code_verifier: _, ...without } = form
    expect(await post('/oauth2/token', without)).toMatchObject(wrong)
    expect(await post('/oauth2/token', form, 'guessed')).toMatchObject({
      status: 401,
      error: 'invalid_client',
    })
    expect(await post('/oauth2/token', form)).toMatchObject({ status: 200 })
  })

  it('does not work after a minute', async () => {
    const form = await exchange()
    const { rows } = await site.age(`kind = 'AuthorizationCode'`, 60)
    expect(rows).toBeGreaterThan(0)
    expect(await post('/oauth2/token', form)).toMatchObject({ status: 400, error: 'invalid_grant' })
  })
})

describe('A refresh token', () => {
  it('works again if its answer was lost, and ten times at the same moment', async () => {
    const { refresh_token } = await tokens()
    const lost = await refresh(refresh_token)
    expect(lost).toMatchObject({ status: 200, refresh_token })
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refresh_token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('stops working when it is revoked, or its person is signed out everywhere or disabled', async () => {
    const { admin } = site.identity
    const revoked = await tokens()
    await client.tokenRevocation(site.config, revoked.refresh_token ?? '')
    expect((await refresh(revoked.refresh_token)).status).toBe(400)

    const visitor = new Visitor(site)
    const before = await tokens(visitor)
    await admin.signOutEverywhere({ pool: POOL, sub })
    expect((await refresh(before.refresh_token)).status).toBe(400)
    expect((await visitor.start()).location).toBe('/login/signIn')

    const { refresh_token, access_token } = await tokens()
    await admin.setEnabled({ pool: POOL, sub, enabled: false })
    expect((await refresh(refresh_token)).status).toBe(400)
    await expect(client.fetchUserInfo(site.config, access_token, sub)).rejects.toThrow()
    await admin.setEnabled({ pool: POOL, sub, enabled: true })
    expect((await tokens()).access_token).toBeTruthy()
  })

  it('lives for 30 days even if it is used, and is not stored in plain text', async () => {
    const { refresh_token } = await tokens()
    await refresh(refresh_token)
    const family = await site.models(`kind = 'RefreshToken'`)
    expect(JSON.stringify(family)).not.toContain(refresh_token)
    for (const { payload } of family)
      expect(payload.exp).toBeLessThanOrEqual(payload.iiat + 30 * 24 * 3600 + 1)
  })
})

describe('The authorization endpoint', () => {
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

  it.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['plain PKCE', { code_challenge: challenge, code_challenge_method: 'plain' }],
    ['a challenge without its method', { code_challenge: challenge, code_challenge_method: '' }],
    ['the implicit flow', { response_type: 'id_token token' }],
    ['the hybrid flow', { response_type: 'code id_token' }],
    ['a foreign resource', { resource: 'https://evil.example/' }],
  ])('refuses %s', async (_what, more) => {
    const { location } = await new Visitor(site).start(more)
    expect(location).toContain(site.redirect_uri)
    expect(location).toMatch(/[?#&]error=/)
    expect(location).not.toContain('code=')
  })

  it.each([
    'https://evil.example/auth/callback',
    '/auth/callback/',
    '/auth/callback?x=1',
    '/auth/callback#x',
    '/auth/../auth/callback/x',
    '//evil.example',
  ])('refuses to redirect to %s', async (target) => {
    const redirect_uri = target.startsWith('/auth') ? `${site.origin}${target}` : target
    const { location } = await new Visitor(site).start({ redirect_uri })
    expect(location).toBe('400')
  })

  it('accepts only its own client, and only authorization codes and refresh tokens', async () => {
    expect((await new Visitor(site).start({ client_id: 'other-client' })).location).toBe('400')
    for (const form of [
      { grant_type: 'password', username: email, password },
      { grant_type: 'client_credentials' },
      { grant_type: 'implicit' },
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' },
    ])
      expect(await post('/oauth2/token', form)).toMatchObject({
        status: 400,
        error: 'unsupported_grant_type',
      })
    expect((await fetch(`${site.origin}/idp/${POOL}/reg`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(`${site.origin}/idp/nowhere/.well-known/openid-configuration`)).status).toBe(404)
  })

  it('redirects a sign-in that is completed or of another browser to /login', async () => {
    const visitor = new Visitor(site)
    await visitor.start()
    const { redirect_to = '' } = await visitor.answer('signIn', { username: email, password })
    await visitor.visit(redirect_to)
    const back = await visitor.visit(redirect_to)
    expect([back.status, back.headers.get('location')]).toEqual([303, '/login?expired=1'])
    const stranger = await new Visitor(site).visit(redirect_to)
    expect(stranger.headers.get('location')).toBe('/login?expired=1')
  })
})

describe('Logging out', () => {
  const logout = (visitor: Visitor, query: Record<string, string>) =>
    visitor.visit(`/idp/${POOL}/logout?${new URLSearchParams(query)}`)

  it('with the ID token ends the session and its tokens without a question', async () => {
    const visitor = new Visitor(site)
    const { id_token = '', refresh_token } = await tokens(visitor)
    const target = { id_token_hint: id_token, post_logout_redirect_uri: `${site.origin}/login`, state: 's' }
    const response = await logout(visitor, target)
    expect([response.status, response.headers.get('location')]).toEqual([303, `${site.origin}/login?state=s`])
    expect(visitor.cookies().join()).not.toContain('session')
    expect((await visitor.start()).location).toBe('/login/signIn')
    expect((await refresh(refresh_token)).status).toBe(400)

    const again = await logout(visitor, target)
    expect(again.headers.get('location')).toBe(`${site.origin}/login?state=s`)
  })

  it('without an ID token, or with another person’s, asks for confirmation first', async () => {
    await site.identity.admin.setPassword({ pool: POOL, email: 'aya@acme.example', password })
    const { callback, checks } = await new Visitor(site).signIn('aya@acme.example', password)
    const { id_token = '' } = await client.authorizationCodeGrant(site.config, callback, checks)
    const visitor = new Visitor(site)
    await tokens(visitor)
    for (const query of [{}, { id_token_hint: id_token }]) {
      const html = await (await logout(visitor, query)).text()
      expect(html).toContain('Yes, log out')
      expect(html).not.toMatch(/<script|<style/)
      expect((await visitor.start()).location).toContain('?code=')
    }

    const xsrf = /name="xsrf" value="(\w+)"/.exec(await (await logout(visitor, {})).text())?.[1] ?? ''
    const confirmed = await visitor.visit(`/idp/${POOL}/logout/confirm`, {
      method: 'POST',
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    })
    expect(confirmed.status).toBe(303)
    expect((await visitor.start()).location).toBe('/login/signIn')
  })

  it('refuses to redirect to a foreign address', async () => {
    const visitor = new Visitor(site)
    const { id_token = '' } = await tokens(visitor)
    const response = await logout(visitor, {
      id_token_hint: id_token,
      post_logout_redirect_uri: 'https://evil.example/',
    })
    expect(response.status).toBe(400)
    expect(await response.text()).not.toContain('https://evil.example/')
  })
})

describe('A lost database', () => {
  it('is answered with 503 and Retry-After, and sign-ins work again later without a restart', async () => {
    const visitor = new Visitor(site)
    const { refresh_token } = await tokens(visitor)
    await site.cut()
    const response = await visitor.visit(`/idp/${POOL}/logout`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.text()).toContain('There was an error, please try again later.')
    expect((await visitor.start()).location).toBe('503')
    expect((await refresh(refresh_token)).status).toBe(503)
    await site.mend()
    expect((await new Visitor(site).signIn(email, password)).callback.searchParams.get('code')).toBeTruthy()
  })
})

function payloadOf(jwt: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
}

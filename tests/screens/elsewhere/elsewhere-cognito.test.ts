/** In front of another server whose people sign in at Cognito: its GET /users/pool names the provider. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWebTier, type Under, type WebTier } from '#tests/elsewhere/web-tier.ts'
import type { Kind } from '#tests/elsewhere/world.ts'
import { type CognitoHosted, HOSTED_POOL, startCognitoHosted } from '#tests/fakes/cognito-hosted.ts'
import { leadingAway, passThrough } from '#tests/screens/sign-in/foreign-pages.ts'
import { Visitor } from '#tests/support/visitor.ts'

const COGNITO = { userPoolId: HOSTED_POOL.id, userPoolWebClientId: HOSTED_POOL.client_id }

const RENEWED = 'POST /oauth2/token refresh_token'

describe.each<[Under, Kind]>([
  ['start', 'texts'],
  ['serve:web', 'numbers'],
])('Screens under npm run %s, with ids that are %s', (under, kind) => {
  let tier: WebTier
  let hosted: CognitoHosted
  let atOpenId: unknown
  beforeAll(async () => {
    hosted = await startCognitoHosted()
    tier = await openWebTier(under, kind, {
      COGNITO_USER_POOL_ID: HOSTED_POOL.id,
      COGNITO_CLIENT_ID: HOSTED_POOL.client_id,
      COGNITO_DOMAIN: hosted.url,
      COGNITO_ISSUER: hosted.issuer,
    })
    hosted.register(`${tier.origin}/auth/callback`)
    atOpenId = tier.server.pool
    tier.server.pool = { ...COGNITO, tenantId: tier.server.world.tenants[0]?.id }
  })
  afterAll(async () => {
    await tier?.close()
    await hosted?.stop()
  })

  /** The provider's address to which an e-mail address leads. */
  async function leave(visitor: Visitor, email = 'ada@acme.example'): Promise<string> {
    const { html } = await visitor.follow(await visitor.submit('/login', { email }))
    return leadingAway(html)
  }
  async function signIn(sub: string) {
    const visitor = new Visitor(tier.origin)
    const back = await passThrough(tier, new Visitor(hosted.url), await leave(visitor), sub)
    return { visitor, back, ...(await visitor.follow(await visitor.visit(back))) }
  }

  it('sign people in on the hosted pages, with a code and PKCE', async () => {
    const visitor = new Visitor(tier.origin)
    const address = new URL(await leave(visitor))
    expect(address.origin + address.pathname).toBe(`${hosted.url}/oauth2/authorize`)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: HOSTED_POOL.client_id,
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${tier.origin}/auth/callback`,
    })
    const { html } = await signIn('sub-ada')
    expect(html).toContain('Welcome, Ada')
    expect(tier.server.broken.splice(0)).toEqual([])
  })

  it('keep people signed in with the refresh token, which Cognito issues only once', async () => {
    hosted.setLifetime(20)
    const { visitor } = await signIn('sub-ada')
    hosted.setLifetime(3600)
    for (let times = 0; times < 2; times++)
      expect((await visitor.follow(await visitor.visit('/'))).html).toContain('Welcome, Ada')
    expect(hosted.asked).toContain(RENEWED)
  })

  it('use the client that the server names to renew tokens and to log out', async () => {
    hosted.addClient('another-client')
    const known = tier.server.pool
    tier.server.pool = { ...Object(known), userPoolWebClientId: 'another-client' }
    hosted.setLifetime(20)
    hosted.asked.splice(0)
    const { visitor } = await signIn('sub-ada').finally(() => {
      tier.server.pool = known
      hosted.setLifetime(3600)
    })
    expect((await visitor.follow(await visitor.visit('/'))).html).toContain('Welcome, Ada')
    expect(hosted.asked).toContain(RENEWED)
    expect((await visitor.submit('/logout', {})).headers.get('refresh')).toContain('client_id=another-client')
  })

  it('lead to the provider that the server names at that time', async () => {
    const known = tier.server.pool
    tier.server.pool = atOpenId
    expect(await leave(new Visitor(tier.origin))).toContain(new URL(tier.provider.issuer).origin)
    tier.server.pool = known
    expect(await leave(new Visitor(tier.origin))).toContain(hosted.url)
  })

  it('say that nobody can sign in when the server names another pool', async () => {
    const known = tier.server.pool
    tier.server.pool = { ...COGNITO, userPoolId: 'eu-west-1_Unknown00', userPoolWebClientId: 'x' }
    const visitor = new Visitor(tier.origin)
    const { response, html } = await visitor
      .follow(await visitor.submit('/login', { email: 'ada@acme.example' }))
      .finally(() => {
        tier.server.pool = known
      })
    expect(response.status).toBe(503)
    expect(html).toContain('Configuration error (see console)')
  })

  it('refuse people unknown to the server, and a code that was already used', async () => {
    const stranger = await signIn('sub-nobody')
    expect([stranger.response.status, stranger.visitor.cookies.has('__Host-liftwell')]).toEqual([403, false])
    const { visitor, back } = await signIn('sub-ada')
    const again = new Visitor(tier.origin)
    for (const [name, value] of visitor.cookies)
      if (!name.includes('liftwell')) again.cookies.set(name, value)
    await again.follow(await again.visit(back))
    expect(again.cookies.has('__Host-liftwell')).toBe(false)
  })

  it('log people out, also on the hosted pages', async () => {
    const { visitor } = await signIn('sub-ada')
    const out = await visitor.submit('/logout', {})
    const address = new URL(/url=(.+)$/.exec(out.headers.get('refresh') ?? '')?.[1] ?? tier.origin)
    expect(address.origin + address.pathname).toBe(`${hosted.url}/logout`)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: HOSTED_POOL.client_id,
      logout_uri: `${tier.origin}/login`,
    })
    expect(hosted.asked).toContain('POST /oauth2/revoke')
    expect(visitor.cookies.has('__Host-liftwell')).toBe(false)
  })
})

/** The social buttons of a pool lead through its hosted pages to the provider behind each. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLIENT, type ForeignProvider, startForeignProvider } from '#tests/fakes/foreign-provider.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import { Visitor } from '#tests/support/visitor.ts'
import { arriveAtCognito, type CognitoWorld, openCognito } from './cognito-world.ts'
import { leadingAway, passThrough } from './foreign-pages.ts'

const EMAIL = 'pia@wire.example'
const BUTTONS = {
  Amazon: 'LoginWithAmazon',
  Apple: 'SignInWithApple',
  Facebook: 'Facebook',
  Google: 'Google',
} as const

let site: Site
let there: CognitoWorld
let foreign: ForeignProvider

/** The pool's API is unchanged; a foreign provider serves its hosted pages. */
beforeAll(async () => {
  site = await openSite()
  there = await openCognito(site)
  foreign = await startForeignProvider(site.origin)
  await foreign.addAccount('pia-there', { email: EMAIL, email_verified: true })
  await there.addPerson(EMAIL)
  there.wire.person(EMAIL, { password: 'Correct horse 7 battery staple' })
  const { issuer } = foreign
  await there.setPool('wire', {
    social_providers: Object.keys(BUTTONS),
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    scopes: ['openid', 'email', 'profile'],
  })
  await sql`update pools set issuer = ${issuer}, client_id = ${CLIENT.client_id} where id = 'wire'`.execute(
    there.stage,
  )
  await sql`update pools set client_secret_sealed = ${there.sealed('wire', CLIENT.client_secret)} where id = 'wire'`.execute(
    there.stage,
  )
})
afterAll(async () => {
  await foreign?.stop()
  await there?.close()
  await site?.close()
})

async function press(button: string, query = '', more: Record<string, string> = {}) {
  const { visitor } = await arriveAtCognito(site, EMAIL, query, more)
  const page = await (await visitor.visit('/login/signIn')).text()
  const href = new RegExp(`<a[^>]*href="([^"]+)"[^>]*>Sign In with ${button}</a>`).exec(page)?.[1] ?? ''
  const answer = await visitor.visit(href.replaceAll('&amp;', '&'))
  return { visitor, answer, page }
}

describe('A social button', () => {
  it('says on each tab whether it signs in or signs up', async () => {
    const { open } = await arriveAtCognito(site, EMAIL)
    for (const [path, words, others] of [
      ['/login/signIn', 'Sign In with', 'Sign Up with'],
      ['/login/signUp', 'Sign Up with', 'Sign In with'],
    ] as const) {
      const { html } = await open(path)
      for (const button of Object.keys(BUTTONS)) expect(html).toContain(`>${words} ${button}</a>`)
      expect(html).not.toContain(others)
    }
  })

  it.each(Object.entries(BUTTONS))('of %s asks the pool for %s', async (button, name) => {
    const { answer } = await press(button)
    const address = new URL(leadingAway(await answer.text()))
    expect(address.origin).toBe(foreign.issuer)
    const asked = Object.fromEntries(address.searchParams)
    expect(asked).toMatchObject({
      identity_provider: name,
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${site.origin}/auth/callback`,
    })
    const there = new Visitor(foreign.issuer)
    const shown = await there.follow(await there.visit(address.pathname + address.search))
    expect(shown.html).toContain(name)
  })

  it('leads to the requested page, and remembers the person only if asked to', async () => {
    const { visitor, answer } = await press('Google', '?redirect=%2Fsettings%2Fsessions%3Fx%3D1', {
      remember: 'on',
    })
    const address = leadingAway(await answer.text())
    const back = await passThrough(site, new Visitor(foreign.issuer), address, 'pia-there')
    const arrived = await visitor.visit(back)
    expect(arrived.headers.get('location')).toBe('/settings/sessions?x=1')
    const cookie = arrived.headers.getSetCookie().find((one) => one.startsWith('__Host-liftwell='))
    expect(cookie).toMatch(/Max-Age=2592000|Max-Age=2591999/)

    const other = await press('Google')
    const again = await passThrough(
      site,
      new Visitor(foreign.issuer),
      leadingAway(await other.answer.text()),
      'pia-there',
    )
    const forgotten = await other.visitor.visit(again)
    expect(forgotten.headers.get('location')).toBe('/')
    const brief = forgotten.headers.getSetCookie().find((one) => one.startsWith('__Host-liftwell='))
    expect(brief).not.toMatch(/Max-Age/)
  })

  it('can be given up at the provider, without a session, and is then offered again', async () => {
    const { visitor, answer } = await press('Apple')
    const address = leadingAway(await answer.text())
    const back = await passThrough(site, new Visitor(foreign.issuer), address, 'nobody')
    const refused = await visitor.visit(back)
    expect(refused.status).toBe(400)
    const page = await refused.text()
    expect(page).toContain('You are not signed in')
    expect(page).toMatch(/<a[^>]*href="\/login"[^>]*>Back to Sign In/)
    expect(visitor.cookies.has('__Host-liftwell')).toBe(false)
    const again = await visitor.follow(await visitor.submit('/login', { email: EMAIL }))
    expect([again.path, again.html.includes('>Sign In with Apple</a>')]).toEqual(['/login/signIn', true])
  })

  it('is not shown, and leads nowhere, when the pool does not have it', async () => {
    await there.setPool('wire', { social_providers: ['Google'] })
    const { page, visitor } = await press('Google')
    for (const name of ['Amazon', 'Apple', 'Facebook']) expect(page).not.toContain(`Sign In with ${name}`)
    for (const name of ['Facebook', 'LoginWithAmazon', 'https://evil.example']) {
      const start = `/auth/start/wire?identity_provider=${encodeURIComponent(name)}`
      expect((await visitor.visit(start)).headers.get('location')).toBe('/login/signIn')
    }
    const { page: plain } = await arriveAtCognito(site, 'adam@northwind.example')
    expect(plain.html).not.toContain('Sign In with')
  })
})

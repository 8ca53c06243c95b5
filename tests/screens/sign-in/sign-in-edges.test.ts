/** Failures during sign-in, and malicious requests: each ends on a page that says what to do. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { arrive as arriveAt, openWorld, PASSWORD, type World } from './sign-in-world.ts'

const LENA = 'lena@testing.example'
const RAVI = 'ravi@testing.example'

let site: Site
let world: World
beforeAll(async () => {
  site = await openSite()
  world = await openWorld()
})
afterAll(async () => {
  await world?.close()
  await site?.close()
})
beforeEach(() => world.forgive())

const arrive = (email: string, query?: string) => arriveAt(site, email, query)
const passwordOf = (address: string) => site.accounts.find((one) => one.email === address)?.password ?? ''
const twice = (password: string) => ({ password, confirm_password: password })
const BACK = /<a[^>]*href="\/login"[^>]*>Back to Sign In/

describe('The waiting page', () => {
  /** Moves the start of the waiting page this far back. */
  const age = (seconds: number) =>
    world.accounts.query(
      `update identity.models set progress = progress::jsonb ||
         jsonb_build_object('waiting_since', (extract(epoch from now()) * 1000)::bigint - $1::bigint * 1000)
       where progress::jsonb ->> 'waiting_since' is not null`,
      [seconds],
    )

  it('refreshes every 5 seconds for 3 minutes, then says that the account is confirmed', async () => {
    const username = `wanda-${Date.now()}@nowhere.example`
    const { visitor, answer, open, isIn } = await arrive(username)
    await open('/login/signUp')
    await answer('signUp', { username, ...twice(PASSWORD), given_name: 'Wanda', family_name: 'Waits' })
    await world.setTenant(`status = 'inactive'`)
    const page = await answer('confirmSignUp', { confirmation_code: await world.codeFor(username) })
    expect(page.path).toBe('/login/transition')
    for (const seconds of [5, 60, 175]) {
      await age(seconds)
      const waiting = await visitor.visit('/login/transition')
      expect([waiting.status, waiting.headers.get('refresh')]).toEqual([200, '5'])
      expect(await waiting.text()).toMatch(/<meta http-equiv="refresh" content="5"\/>/i)
    }
    await age(181)
    const over = await open('/login/transition')
    expect(over.path).toBe('/login/signIn')
    expect(over.html).toContain('Your account is confirmed. You can sign in now.')
    expect(isIn()).toBe(false)

    await world.setTenant(`status = 'active'`)
    await answer('signIn', { username, password: PASSWORD })
    expect(isIn()).toBe(true)
  })

  it('can be left for the sign-in', async () => {
    const username = `wilma-${Date.now()}@nowhere.example`
    const { answer, open } = await arrive(username)
    await open('/login/signUp')
    await answer('signUp', { username, ...twice(PASSWORD), given_name: 'Wilma', family_name: 'Waits' })
    await world.setTenant(`status = 'inactive'`)
    await answer('confirmSignUp', { confirmation_code: await world.codeFor(username) })
    expect((await answer('transition', { intent: 'back' })).path).toBe('/login/signIn')
    await world.setTenant(`status = 'active'`)
  })
})

describe('A provider that does not answer', () => {
  const NOWHERE = 'http://127.0.0.1:1'
  beforeAll(async () => {
    const settings = {
      authorization_endpoint: `${NOWHERE}/auth`,
      token_endpoint: `${NOWHERE}/token`,
      jwks_uri: `${NOWHERE}/jwks`,
    }
    await world.app.query(
      `insert into pools (id, name, kind, login_mode, issuer, client_id, settings)
       values ('away', 'Away', 'oidc', 'redirect', $1, 'liftwell', $2)`,
      [NOWHERE, JSON.stringify(settings)],
    )
  })

  it('is reported on the return from it, with a link to sign in again', async () => {
    const visitor = await site.visitor()
    const leaving = await (await visitor.visit('/auth/start/away')).text()
    const state = /[?&;]state=([\w-]+)/.exec(leaving)?.[1]
    const answer = await visitor.visit(`/auth/callback?code=a&state=${state}`)
    expect(answer.status).toBe(503)
    const html = await answer.text()
    expect(html).toContain('You are not signed in yet')
    expect(html).toContain('The sign-in service does not answer right now. Please try again in a moment.')
    expect(html).toMatch(BACK)
    expect(visitor.cookies.has('__Host-liftwell')).toBe(false)
  })

  it('signs nobody out: the page says to try again, and works again afterwards', async () => {
    const visitor = await site.visitor(RAVI)
    const before = await visitor.visit('/settings/profile')
    expect(before.status).toBe(200)
    const [, mark = ''] = /name="__place__" value="([^"]*)"/.exec(await before.text()) ?? []
    await world.setTenant(`pool_id = 'away'`)
    await world.app.query(
      `update sessions set pool_id = 'away', access_expires_at = now() - interval '1 minute'`,
    )
    const answer = await visitor.visit('/settings/profile')
    const html = await answer.text()
    const sent = await visitor.submit('/settings/profile', { first_name: 'Ravindra', __place__: mark })
    await world.setTenant(`pool_id = 'default'`)
    expect([answer, sent].map(({ headers }) => headers.get('retry-after'))).toEqual(['5', '2'])
    expect(sent.status).toBe(503)
    expect(await sent.text()).toMatch(/It could not be sent just now.*name="first_name" value="Ravindra"/s)
    expect(answer.status).toBe(503)
    expect(html).toContain('There was an error, please try again later.')
    expect(html).toContain('The sign-in service does not answer.')
    expect(html).toContain('Retry')
    await world.app.query(
      `update sessions set pool_id = 'default', access_expires_at = now() + interval '10 minutes'`,
    )
    expect((await visitor.visit('/settings/profile')).status).toBe(200)
  })
})

describe('A sign-in whose state is lost', () => {
  it('at the embedded provider starts again, and says that it expired', async () => {
    for (const path of [
      '/idp/default/oauth2/authorize/nobodys',
      `/idp/default/oauth2/authorize/${'x'.repeat(43)}`,
    ]) {
      const stranger = await site.visitor()
      const page = await stranger.follow(await stranger.visit(path))
      expect(page.path).toBe('/login?expired=1')
      expect(page.html).toContain('Your sign-in expired, try again')
    }
    const { visitor } = await arrive(LENA)
    // The first tab has signed in, so the step in the second is over.
    const other = await site.visitor()
    for (const [name, value] of visitor.cookies) other.cookies.set(name, value)
    const first = { username: LENA, password: passwordOf(LENA) }
    await visitor.follow(await visitor.submit('/login/signIn', first))
    expect(visitor.cookies.has('__Host-liftwell')).toBe(true)
    const late = await other.follow(await other.submit('/login/signIn', first))
    expect(late.path).toBe('/login?expired=1')
    expect(other.cookies.has('__Host-liftwell')).toBe(false)
  })

  const tampered: [string, (value: string) => string | null][] = [
    ['gone', () => null],
    ['cut', (value) => value.slice(0, -1)],
    ['flipped', (value) => `${value[0] === 'A' ? 'B' : 'A'}${value.slice(1)}`],
    ['empty', () => ''],
    ['doubled', (value) => value + value],
    ['not text', () => '%00%ff'],
  ]
  it.each(tampered)(
    'because a cookie is %s says where to start again, and never fails',
    async (_, change) => {
      const { visitor } = await arrive(LENA)
      const names = [...visitor.cookies.keys()]
      expect(names.length).toBeGreaterThan(2)
      for (const name of names) {
        const victim = await site.visitor()
        for (const [one, value] of visitor.cookies) victim.cookies.set(one, value)
        const value = change(visitor.cookies.get(name) ?? '')
        if (value === null) victim.cookies.delete(name)
        else victim.cookies.set(name, value)
        await expectWayOn(victim)
      }
      const { page } = await arrive(LENA)
      expect(page.response.status).toBe(200)
    },
  )

  async function expectWayOn(victim: Visitor): Promise<void> {
    const page = await victim.visit('/login/signIn')
    expect([200, 410]).toContain(page.status)
    if (page.status === 410) expect(await page.text()).toMatch(BACK)
    const answer = await victim.submit('/login/signIn', { username: LENA, password: passwordOf(LENA) })
    const end = await victim.follow(answer)
    expect([200, 400]).toContain(end.response.status)
    const isIn = victim.cookies.has('__Host-liftwell')
    if (!isIn) expect(end.html).toMatch(/Your sign-in expired, try again|Sign In/)
  }

  it('because the state of the callback is missing, foreign or malformed says so', async () => {
    for (const query of ['', '?code=a', '?state=b', '?code=a&state=', `?code=a&state=${'x'.repeat(5000)}`]) {
      const page = await (await site.visitor()).follow(
        await (await site.visitor()).visit(`/auth/callback${query}`),
      )
      expect(page.response.status).toBeLessThan(500)
      expect(page.html).toMatch(/Your sign-in expired, try again|You are not signed in/)
    }
  })
})

describe('Unusual input', () => {
  it('a password of 128 characters, the first ones spaces, works exactly as typed', async () => {
    const password = `   ${'Lange Wörter 7 '.repeat(12)}`.slice(0, 127).padEnd(128, '!')
    const { answer, isIn } = await arrive(LENA, '?forgotPassword=true')
    await answer('forgotPassword', { username: LENA })
    const confirmation_code = await world.codeFor(LENA)
    const end = await answer('confirmResetPassword', { confirmation_code, ...twice(password) })
    expect(end.html).toContain('Your password was changed.')
    for (const wrong of [password.trim(), password.slice(1), `${password} `])
      expect((await answer('signIn', { username: LENA, password: wrong })).html).toContain(
        'Incorrect username or password.',
      )
    await answer('signIn', { username: `  ${LENA.toUpperCase()} `, password })
    expect(isIn()).toBe(true)
  })

  it('a password of 1 MB is refused like a wrong one, or as too large', async () => {
    const { answer, isIn } = await arrive(LENA)
    const big = 'x'.repeat(1024 * 1024)
    const page = await answer('signIn', { username: LENA, password: big })
    expect([400, 413]).toContain(page.response.status)
    expect(page.html).not.toContain('xxxxxxxxxx')
    expect(page.html).toMatch(/Incorrect username or password\.|too (large|long|big)/i)
    expect(isIn()).toBe(false)
    expect((await answer('signIn', { username: LENA, password: 'short' })).html).toContain('Incorrect')
  })

  it('a code of another flow is refused', async () => {
    const username = `cora-${Date.now()}@nowhere.example`
    const { answer, open, isIn } = await arrive(username)
    await open('/login/signUp')
    await answer('signUp', { username, ...twice(PASSWORD), given_name: 'Cora', family_name: 'Code' })
    const code = await world.codeFor(username)
    const other = await arrive(username, '?forgotPassword=true')
    await other.answer('forgotPassword', { username })
    const page = await other.answer('confirmResetPassword', { confirmation_code: code, ...twice(PASSWORD) })
    expect(page.response.status).toBe(400)
    expect(page.html).toMatch(/Invalid (verification )?code provided, please/)
    expect(other.isIn()).toBe(false)
    await answer('confirmSignUp', { confirmation_code: code })
    expect(isIn()).toBe(true)
  })

  it('malformed codes and names get an error message', async () => {
    const { answer } = await arrive(LENA, '?forgotPassword=true')
    await answer('forgotPassword', { username: LENA })
    for (const confirmation_code of ['', '   ', 'nonsense', '\u0000', '1'.repeat(5000), '１２３４５６']) {
      const page = await answer('confirmResetPassword', { confirmation_code, ...twice(PASSWORD) })
      expect([400, 429]).toContain(page.response.status)
      expect(page.html).toMatch(/class="field-errors"|role="alert"/)
    }
    const nina = await arrive('nina@nowhere.example')
    await nina.open('/login/signUp')
    const wish = { username: 'nina@nowhere.example', ...twice(PASSWORD), family_name: 'New' }
    const strange = await nina.answer('signUp', { ...wish, given_name: 'Ni\u0000na' })
    expect(strange.response.status).toBe(400)
    expect(strange.html).toContain('Please use letters, numbers and signs only')

    const { answer: again } = await arrive(LENA)
    for (const username of ['', '\u0000', 'x'.repeat(300), "' or 1=1 --"]) {
      const page = await again('signIn', { username, password: 'a wrong guess' })
      expect([400, 429]).toContain(page.response.status)
      expect(page.html).toMatch(/class="field-errors"|role="alert"/)
    }
  })
})

describe('The first screen', () => {
  it('is the one that the pool sets, and sign-in is one step away', async () => {
    await world.setPool({ initial_screen: 'forgotPassword' })
    const { page, answer, isIn } = await arrive(RAVI)
    expect(page.path).toBe('/login/forgotPassword')
    expect((await answer('forgotPassword', { intent: 'back' })).path).toBe('/login/signIn')
    await answer('signIn', { username: RAVI, password: passwordOf(RAVI) })
    expect(isIn()).toBe(true)
    await world.setPool({ initial_screen: 'signIn' })
  })

  it('is not the sign-up when nobody can sign up', async () => {
    const { rows } = await world.app.query('select settings from pools where is_default')
    await world.setPool({ initial_screen: 'signUp', sign_up: null })
    expect((await arrive(RAVI)).page.path).toBe('/login/signIn')
    await world.setPool(rows[0].settings)
    await world.setPool({ initial_screen: 'signIn' })
  })
})

/** Signing in and out, without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'

const ADAM = 'adam@northwind.example'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const login = (path: string) => `/login?redirect=${encodeURIComponent(path)}`

describe('Signing in', () => {
  it('starts with an e-mail address, and remembers it for a week if asked to', async () => {
    const visitor = await site.visitor()
    const answer = await visitor.submit(login('/users'), { email: ` ${ADAM.toUpperCase()} `, remember: 'on' })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe('/auth/start/default?redirect=%2Fusers&remember=true')
    const cookies = answer.headers.getSetCookie()
    const week = 'Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=604800'
    expect(cookies).toContain(`pool=default; ${week}`)
    expect(cookies).toContain(`rememberedEmail=${encodeURIComponent(ADAM)}; ${week}`)
    expect(visitor.cookies.has('pool')).toBe(true)
    const page = await visitor.visit('/login')
    const text = await page.text()
    expect(text).toMatch(new RegExp(`value="${ADAM}"`))
    // The only page that search engines may list.
    expect(text).toMatch(/<meta name="description" content="\w/)
    // The pool is forgotten, the e-mail address stays.
    expect(page.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^pool=;.*Max-Age=0/))
    expect([...visitor.cookies.keys()]).toEqual(expect.arrayContaining(['rememberedEmail']))
    expect(visitor.cookies.has('pool')).toBe(false)

    await visitor.submit('/login', { email: ADAM })
    expect([...visitor.cookies.keys()]).not.toContain('rememberedEmail')
  })

  it('says what is wrong with an e-mail address', async () => {
    const visitor = await site.visitor()
    for (const [email, why] of [
      ['', 'This field is required'],
      ['adam', 'Please enter a valid email'],
      [`${'a'.repeat(260)}@example.com`, 'Please enter a valid email'],
    ] as const) {
      const answer = await visitor.submit('/login', { email })
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain(why)
    }
  })

  it('does not redirect to another site', async () => {
    const visitor = await site.visitor()
    for (const wanted of ['//evil.example', 'https://evil.example', '/\\evil.example', '/%09/evil.example']) {
      const answer = await visitor.submit(login(wanted), { email: ADAM })
      expect(answer.headers.get('location')).toBe('/auth/start/default?redirect=%2F')
      const start = await visitor.visit(`/auth/start/default?redirect=${encodeURIComponent(wanted)}`)
      expect(new URL(start.headers.get('location') ?? '').origin).toBe(site.origin)
    }
  })

  it('sets cookies for this site only, and shows no token on a page', async () => {
    const visitor = await site.visitor()
    const seen: string[] = []
    let answer = await visitor.submit('/login', { email: ADAM })
    for (let hops = 0; hops < 9 && answer.headers.has('location'); hops++) {
      seen.push(...answer.headers.getSetCookie())
      answer = await visitor.visit(answer.headers.get('location') ?? '/')
    }
    expect(seen.length).toBeGreaterThan(3)
    for (const cookie of seen) {
      expect(cookie).toMatch(/; secure/i)
      expect(cookie).toMatch(/; httponly/i)
      expect(cookie).toMatch(/; samesite=(lax|strict)/i)
      expect(cookie).not.toMatch(/; domain=/i)
    }
    const signedIn = await site.visitor(ADAM)
    for (const path of ['/', '/users', '/settings/profile', '/logout']) {
      const page = await signedIn.visit(path)
      expect(page.headers.get('cache-control')).toContain('no-store')
      expect(await page.text()).not.toContain('eyJhbGciOi')
    }
  })

  it('redirects people who are signed in, and refuses a session cookie that was changed', async () => {
    const visitor = await site.visitor(ADAM)
    expect((await visitor.visit('/login')).headers.get('location')).toBe('/')
    expect((await visitor.visit('/auth/start/default')).headers.get('location')).toBe('/')
    const value = visitor.cookies.get('__Host-liftwell') ?? ''
    for (const wrong of [value.slice(0, -1), `${value}A`, value.toLowerCase(), value.replace(/^./, '-')]) {
      visitor.cookies.set('__Host-liftwell', wrong)
      const answer = await visitor.visit('/users?page=2')
      expect(answer.headers.get('location')).toBe(`${login('/users?page=2')}&expired=true`)
      expect(visitor.cookies.has('__Host-liftwell')).toBe(false)
    }
  })

  it('returns to the page of a form that was sent after the session had ended', async () => {
    const visitor = await site.visitor(ADAM)
    visitor.cookies.delete('__Host-liftwell')
    const answer = await visitor.submit('/settings/profile', { first_name: 'Adam' })
    expect(answer.headers.get('location')).toBe(login('/settings/profile'))
  })
})

describe('Addresses of the sign-in', () => {
  it('start again once when the state of a callback is unknown, then say so', async () => {
    const visitor = await site.visitor()
    const first = await visitor.visit('/auth/callback?code=a&state=b')
    expect(first.headers.get('location')).toBe(`${login('/')}&expired=true`)
    const second = await visitor.visit('/auth/callback?code=a&state=b')
    expect(second.status).toBe(400)
    expect(await second.text()).toContain('Your sign-in expired, try again')
  })

  it.each([
    ['/auth/callback?state=%00&code=a', 302],
    ['/idp/default/oauth2/authorize?client_id=%00&response_type=code', 400],
    ['/idp/default/logout?client_id=%00', 400],
  ])('do not fail with a server error: %s', async (path, status) => {
    const visitor = await site.visitor()
    expect((await visitor.visit(path)).status).toBe(status)
  })

  it('lead people who are signed in to the first page', async () => {
    const visitor = await site.visitor(ADAM)
    expect((await visitor.visit('/auth/callback?code=a&state=b')).headers.get('location')).toBe('/')
    expect(visitor.cookies.has('__Host-liftwell')).toBe(true)
  })

  it('are 404 for an unknown pool', async () => {
    for (const pool of ['nowhere', '..%2f', "'", 'DEFAULT'])
      expect((await (await site.visitor()).visit(`/auth/start/${pool}`)).status).toBe(404)
  })
})

describe('Logging out', () => {
  it('asks first, then ends the session here and at the provider', async () => {
    const visitor = await site.visitor(ADAM)
    const page = await (await visitor.visit('/logout')).text()
    for (const words of ['Are you sure you want to log out?', 'Yes, log out', 'Cancel'])
      expect(page).toContain(words)
    visitor.cookies.set('pool', 'default').set('rememberedEmail', ADAM)
    const stolen = await site.visitor()
    for (const [name, value] of visitor.cookies) stolen.cookies.set(name, value)

    const answer = await visitor.submit('/logout', {})
    expect(answer.headers.get('clear-site-data')).toBe('"storage"')
    expect(visitor.cookies.has('__Host-liftwell')).toBe(false)
    expect(visitor.cookies.has('pool')).toBe(false)
    expect(visitor.cookies.has('rememberedEmail')).toBe(true)
    expect((await visitor.follow(answer)).path).toBe('/login')
    expect((await stolen.visit('/users')).headers.get('location')).toContain('/login')

    const again = await visitor.follow(await visitor.submit('/login', { email: ADAM }))
    expect(again.path).toBe('/login/signIn')
  })

  it('asks on top of the current page, and Cancel leads back to it', async () => {
    const visitor = await site.visitor(ADAM)
    const link = /class="quiet-link log-out"[^>]*href="([^"]*)"/.exec(
      await (await visitor.visit('/users?q=aya&role=author')).text(),
    )?.[1]
    const asked = new URL((link ?? '').replaceAll('&amp;', '&'), `${site.origin}/users`)
    expect([asked.pathname, asked.searchParams.get('q')]).toEqual(['/users', 'aya'])
    const page = await (await visitor.visit(`${asked.pathname}${asked.search}`)).text()
    expect(page).toContain('User Management')
    const dialog = /<dialog.*<\/dialog>/s.exec(page)?.[0] ?? ''
    expect(dialog).toContain('role="alertdialog"')
    for (const words of ['Are you sure you want to log out?', 'Yes, log out', 'action="/logout"'])
      expect(dialog).toContain(words)
    expect(dialog).toMatch(/href="[^"]*\?q=aya&amp;role=author"[^>]*>Cancel</)
  })

  it('cannot be started by another site', async () => {
    const visitor = await site.visitor(ADAM)
    const origin = 'https://evil.example'
    const cookie = `__Host-liftwell=${visitor.cookies.get('__Host-liftwell')}`
    const answer = await fetch(`${site.origin}/logout`, { method: 'POST', headers: { origin, cookie } })
    expect(answer.status).toBe(403)
    expect((await visitor.visit('/users')).status).toBe(200)
  })

  it('sends strangers to sign in', async () => {
    const visitor = await site.visitor()
    expect((await visitor.visit('/logout')).headers.get('location')).toBe(login('/'))
    expect((await visitor.submit('/logout', {})).headers.get('location')).toBe(login('/'))
  })
})

/** Signing in, without JavaScript. */
import { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'

const email = 'uri@northwind.example'

let site: Site
let accounts: Pool

beforeAll(async () => {
  site = await openSite()
  accounts = new Pool({ connectionString: process.env.DATABASE_IDENTITY_URL, max: 1 })
  // Dropping the database at the end ends its idle connections.
  accounts.on('error', () => {})
})
afterAll(async () => {
  await accounts?.end()
  await site?.close()
})
beforeEach(() => accounts.query('delete from identity.attempts'))

/** A visitor who has entered an address at `/login`, on the page to which that led. */
async function arrive(address = email, wanted = '/') {
  const visitor = await site.visitor()
  const login = `/login?redirect=${encodeURIComponent(wanted)}`
  const page = await visitor.follow(await visitor.submit(login, { email: address }))
  const answer = async (screen: string, fields: Record<string, string>) =>
    visitor.follow(await visitor.submit(`/login/${screen}`, fields))
  return { visitor, page, answer }
}

const passwordOf = (address: string) => site.accounts.find((one) => one.email === address)?.password ?? ''

const invite = () =>
  accounts.query(
    `update identity.users set status = 'FORCE_CHANGE_PASSWORD', temporary_until = now() + interval '7 days'
     where username = $1`,
    [email],
  )

describe('Sign In', () => {
  it('fills in the typed address, known or not, and gives both the same answers', async () => {
    const known = await arrive()
    const unknown = await arrive('nobody@nowhere.example')
    expect([known.page.path, unknown.page.path]).toEqual(['/login/signIn', '/login/signIn'])
    expect(known.page.html).toContain(`value="${email}"`)
    expect(unknown.page.html).toContain('value="nobody@nowhere.example"')

    for (const [{ answer }, username] of [
      [known, email],
      [unknown, 'nobody@nowhere.example'],
    ] as const) {
      const { response, html } = await answer('signIn', { username, password: 'a wrong guess' })
      expect(response.status).toBe(400)
      expect(html).toContain('Incorrect username or password.')
      expect(html).toContain(`value="${username}"`)
      expect(html).not.toContain('a wrong guess')
      expect(html).toMatch(/role="alert".*Dismiss.*>Sign In<\/button>/s)
    }
  })

  it('asks for a missing password under its field', async () => {
    const { answer } = await arrive()
    const { response, html } = await answer('signIn', { username: email, password: '' })
    expect(response.status).toBe(400)
    expect(html).toContain('id="sign-in-password-error"')
    expect(html).toContain('This field is required')
  })

  it('leads to the page that was requested', async () => {
    const { answer } = await arrive(email, '/settings/profile?x=1')
    const { path } = await answer('signIn', {
      username: ` ${email.toUpperCase()} `,
      password: passwordOf(email),
    })
    expect(path).toContain('/settings/profile')
  })

  it('refuses a sixth attempt after five wrong passwords', async () => {
    const { answer } = await arrive()
    const guess = () => answer('signIn', { username: email, password: 'a wrong guess' })
    for (let i = 0; i < 5; i += 1) await guess()
    expect((await guess()).html).toContain('Password attempts exceeded')
  })

  it('is not cached, cannot be framed by another site, and runs only scripts with its nonce', async () => {
    const { page } = await arrive()
    expect(page.response.headers.get('cache-control')).toContain('no-store')
    const policy = page.response.headers.get('content-security-policy')
    expect(policy).toContain("frame-ancestors 'none'")
    const [, nonce] = /;script-src 'nonce-([\w-]{22})' 'strict-dynamic';/.exec(policy ?? '') ?? []
    for (const [script] of page.html.matchAll(/<script[^>]*>/g)) expect(script).toContain(`nonce="${nonce}"`)
  })
})

describe('Change Password', () => {
  it('accepts a new password that is typed twice, and signs in', async () => {
    await invite()
    const { visitor, answer } = await arrive(email, '/todo')
    const first = await answer('signIn', { username: email, password: passwordOf(email) })
    expect(first.path).toBe('/login/forceNewPassword')
    expect(first.html).toContain('Change Password')
    expect(first.html).toContain('Back to Sign In')
    expect((await visitor.follow(await visitor.visit('/login/signIn'))).path).toBe('/login/forceNewPassword')

    const weak = await answer('forceNewPassword', { password: 'short', confirm_password: 'other' })
    expect(weak.response.status).toBe(400)
    expect(weak.html).toContain('Password must have at least 8 characters')
    expect(weak.html).toContain('Your passwords must match')
    const common = { password: 'password123', confirm_password: 'password123' }
    expect((await answer('forceNewPassword', common)).html).toContain('Password is too easy to guess')

    const own = { password: ' words of my own ', confirm_password: ' words of my own ' }
    const last = await answer('forceNewPassword', own)
    expect(last.path).not.toMatch(/^\/(login|idp|auth)/)
    expect(visitor.cookies.has('__Host-liftwell')).toBe(true)
    await (await site.visitor()).signIn(email, ' words of my own ')
  })

  it('has a way back to the sign-in', async () => {
    await invite()
    const { answer } = await arrive()
    const step = await answer('signIn', { username: email, password: ' words of my own ' })
    expect(step.path).toBe('/login/forceNewPassword')
    expect((await answer('forceNewPassword', { intent: 'back' })).path).toBe('/login/signIn')
  })
})

describe('A sign-in that has ended, or never existed', () => {
  it.each([
    ['/login/signIn', 410],
    ['/login/forceNewPassword', 410],
    ['/login/no-such-screen', 404],
    ['/login/__proto__', 404],
    ['/login/toString', 404],
  ])('is answered at %s with a link back to the sign-in', async (path, status) => {
    const response = await (await site.visitor()).visit(path)
    const html = await response.text()
    expect(response.status).toBe(status)
    expect(html).toMatch(/<a[^>]*href="\/login"[^>]*>Back to Sign In/)
  })

  it('leads a late answer back to the start', async () => {
    const visitor = await site.visitor()
    const answer = await visitor.submit('/login/signIn', { username: email, password: 'x' })
    expect(answer.headers.get('location')).toBe('/login?expired=1')
  })

  it('leads people who are signed in to the first page', async () => {
    const visitor = await site.visitor('adam@northwind.example')
    expect((await visitor.visit('/login/signIn')).headers.get('location')).toBe('/')
  })
})

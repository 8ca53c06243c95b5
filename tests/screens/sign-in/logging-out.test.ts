/** After a session has ended, in whatever way, the password is needed to get in again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import { Visitor } from '#tests/support/visitor.ts'
import { openWorld, type World } from './sign-in-world.ts'

const ADAM = 'adam@northwind.example'
const AYA = 'aya@northwind.example'
const TESS = 'tess@testing.example'

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

/** A copy of the browser with its current cookies. */
function copyOf(visitor: Visitor): Visitor {
  const copy = new Visitor(site.origin)
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
  return copy
}

/** The pages at which a browser arrives that enters no password. */
async function withoutPassword(visitor: Visitor, email: string): Promise<string[]> {
  const direct = await visitor.follow(await visitor.visit('/auth/start/default'))
  const typed = await visitor.follow(await visitor.submit('/login', { email }))
  return [direct.path, typed.path]
}
const ASKED = ['/login/signIn', '/login/signIn']

async function expectIn(visitor: Visitor): Promise<void> {
  expect((await visitor.visit('/settings/profile')).status).toBe(200)
}

describe('Logging out', () => {
  it.each([ADAM, AYA, TESS])('makes the next sign-in ask for the password: %s', async (email) => {
    const visitor = await site.visitor(email)
    const before = copyOf(visitor)
    // The page is closed at once, so no redirect is followed.
    expect((await visitor.submit('/logout', {})).status).toBe(200)
    expect(await withoutPassword(visitor, email)).toEqual(ASKED)
    expect(await withoutPassword(before, email)).toEqual(ASKED)
  })

  it('shows a page whose link leads where the browser goes by itself', async () => {
    const visitor = await site.visitor(ADAM)
    const answer = await visitor.submit('/logout', {})
    expect(answer.headers.get('refresh')).toBe(`1;url=${site.origin}/login`)
    expect(await answer.text()).toContain(`href="${site.origin}/login"`)
  })

  it('shows the same page when the form is sent twice, before the first answer is there', async () => {
    const visitor = await site.visitor(ADAM)
    const again = copyOf(visitor)
    const later = copyOf(visitor)
    const first = visitor.submit('/logout', {})
    for (const answer of [
      await again.submit('/logout', {}),
      await first,
      await later.submit('/logout', {}),
    ]) {
      expect([answer.status, answer.headers.get('refresh')]).toEqual([200, `1;url=${site.origin}/login`])
      expect(await answer.text()).toContain('You are logged out')
    }
    expect(again.cookies.has('__Host-liftwell')).toBe(false)
  })

  it('makes a code invalid that is on its way to the callback', async () => {
    const visitor = await site.visitor(ADAM)
    const thief = copyOf(visitor)
    thief.cookies.delete('__Host-liftwell')
    const start = await thief.visit('/auth/start/default')
    const authorized = await thief.visit(start.headers.get('location') ?? '')
    const callback = authorized.headers.get('location') ?? ''
    expect(callback).toContain('code=')
    await visitor.submit('/logout', {})
    const { path } = await thief.follow(await thief.visit(callback))
    expect(path).toBe('/login/signIn')
    expect(thief.cookies.has('__Host-liftwell')).toBe(false)
  })

  it('is not asked about again when a person goes back and signs in', async () => {
    const visitor = await site.visitor(ADAM)
    await visitor.submit('/logout', {})
    const back = await visitor.visit('/users?q=aya&log_out=true')
    expect(back.headers.get('location')).toBe(`/login?redirect=${encodeURIComponent('/users?q=aya')}`)
  })

  it('drops other questions from its link', async () => {
    const visitor = await site.visitor(ADAM)
    for (const asked of ['/users/edit/3?ask=delete', '/users/edit/3?ask=deactivate&delete=true'])
      expect(await (await visitor.visit(asked)).text()).toContain('href="/users/edit/3?log_out=true"')
  })

  it('leaves other people, and other browsers of the same person, signed in', async () => {
    const [here, there, other] = [await site.visitor(ADAM), await site.visitor(ADAM), await site.visitor(AYA)]
    await here.submit('/logout', {})
    await expectIn(there)
    await expectIn(other)
  })
})

describe('A session that was ended from another browser', () => {
  it('needs the password when it was ended alone', async () => {
    const [here, lost, kept] = [await site.visitor(AYA), await site.visitor(AYA), await site.visitor(AYA)]
    await expectIn(kept)
    const before = copyOf(lost)
    const page = await (await lost.visit('/settings/sessions')).text()
    const ids = (html: string) => [...html.matchAll(/name="id" value="([0-9a-f]{64})"/g)].map(([, id]) => id)
    // The list has no button for a browser's own session.
    const all = ids(await (await here.visit('/settings/sessions')).text())
    const [own] = all.filter((id) => !ids(page).includes(id))
    await here.submit('/settings/sessions', { id: own ?? '' })
    expect(await withoutPassword(lost, AYA)).toEqual(ASKED)
    expect(await withoutPassword(before, AYA)).toEqual(ASKED)
    await expectIn(here)
    await expectIn(kept)
  })

  it('needs the password when all others were ended', async () => {
    const [here, ...lost] = [await site.visitor(AYA), await site.visitor(AYA), await site.visitor(AYA)]
    const bystander = await site.visitor(ADAM)
    await here.submit('/settings/sessions', { intent: 'end_others' })
    for (const browser of lost) expect(await withoutPassword(browser, AYA)).toEqual(ASKED)
    await expectIn(here)
    await expectIn(bystander)
  })
})

describe('A session that ends by itself', () => {
  const makeDue = () => world.app.query(`update sessions set access_expires_at = now() - interval '1 minute'`)

  it('needs the password after its refresh token is gone', async () => {
    const visitor = await site.visitor(TESS)
    const before = copyOf(visitor)
    await world.accounts.query(`delete from identity.models where kind = 'RefreshToken'`)
    await makeDue()
    expect((await visitor.follow(await visitor.visit('/settings/profile'))).path).toContain('expired=true')
    expect(await withoutPassword(visitor, TESS)).toEqual(ASKED)
    expect(await withoutPassword(before, TESS)).toEqual(ASKED)
  })

  it('needs the password after an administrator has signed the person out, or disabled them', async () => {
    for (const set of ['tokens_valid_after = now()', 'enabled = false']) {
      const visitor = await site.visitor(TESS)
      const before = copyOf(visitor)
      await world.change(TESS, set)
      expect((await visitor.visit('/settings/profile')).headers.get('location')).toContain('/login')
      await world.change(TESS, 'enabled = true')
      expect(await withoutPassword(visitor, TESS)).toEqual(ASKED)
      expect(await withoutPassword(before, TESS)).toEqual(ASKED)
    }
  })

  it('tells its holder once that the account or the company was closed', async () => {
    const close = [
      ['update users set activation_status = $1', 'disabled', 'active', 'Your account is deactivated.'],
      [
        'update tenants set status = $1',
        'inactive',
        'active',
        'Only the people who run Liftwell can activate it',
      ],
    ] as const
    for (const [update, off, on, words] of close) {
      const visitor = await site.visitor(TESS)
      const where = update.includes('users') ? ` where email = '${TESS}'` : ' where is_testing'
      await world.app.query(update + where, [off])
      const { html } = await visitor.follow(await visitor.visit('/settings/profile'))
      await world.app.query(update + where, [on])
      expect(html).toContain(words)
      expect(html).not.toContain('Your sign-in expired')
      expect(await (await visitor.visit('/login')).text()).not.toContain(words)
      await world.app.query(update + where, [off])
      const account = site.accounts.find((one) => one.email === TESS)
      const again = await site.visitor()
      const form = await again.follow(await again.submit('/login', { email: TESS }))
      const proved = await again.submit(form.path, { username: TESS, password: account?.password ?? '' })
      const refused = await again.follow(proved)
      await world.app.query(update + where, [on])
      expect([refused.response.status, refused.html]).toEqual([403, expect.stringContaining(words)])
    }
  })

  it('is not announced by a made-up link', async () => {
    const page = await (await site.visitor()).visit('/login?misconfigured=true&ended=account_disabled')
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).not.toContain('Configuration error')
    expect(html).not.toContain('Your account is deactivated')
  })
})

/** The rules of our own sign-in screens: set by a super admin's form, applied to the people who sign in. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '#app/db/connect.server.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { arrive, openWorld, type World } from './sign-in-world.ts'

const SOFIA = 'sofia@liftwell.example'
const ADAM = 'adam@northwind.example'
const SHARED = '/tenants/shared-sign-in'
let site: Site
let stage: ReturnType<typeof connect>
let world: World
let northwind: string
let testing: string
let sofia: Visitor

beforeAll(async () => {
  site = await openSite()
  stage = connect(site.adminUrl, { max: 1 })
  world = await openWorld()
  sofia = await site.visitor(SOFIA)
  const one = async (text: ReturnType<typeof sql<{ id: string }>>) =>
    (await text.execute(stage)).rows[0]?.id ?? ''
  northwind = await one(sql`select tenant_id as id from users where email = ${ADAM}`)
  testing = await one(sql`select id from tenants where is_testing`)
})
afterAll(async () => {
  await stage.destroy()
  await world.close()
  await site.close()
})

const page = () => `/tenants/${northwind}/sign-in`
const strong = {
  initial_screen: 'signUp',
  'password_policy.min_length': '12',
  'password_policy.require_numbers': 'on',
  required_attributes: 'nickname',
}
const newcomer = {
  password: 'a fine long phrase 1',
  confirm_password: 'a fine long phrase 1',
}

describe('The sign-in that companies share', () => {
  it('is changed in one place, not on the page of one company', async () => {
    const html = await (await sofia.visit(page())).text()
    expect(html).toContain(`href="${SHARED}"`)
    expect(html.match(/<textarea[^>]*name="domains"[^>]*>/)?.[0]).not.toContain('required')
    expect(html).not.toContain('name="initial_screen"')
    expect(html).not.toContain('name="allow_sign_up"')
    const before = await arrive(site, 'stranger@nowhere.example')
    expect(before.page.path).toBe('/login/signIn')
    const saved = await sofia.submit(page(), { kind: 'shared', allow_sign_up: 'on', ...strong })
    expect(saved.status).toBe(302)
    expect((await arrive(site, 'stranger@nowhere.example')).page.path).toBe('/login/signIn')
  })

  it('applies the rules of its settings', async () => {
    const refused = await sofia.submit(SHARED, { ...strong, 'password_policy.min_length': '7' })
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('Please enter at least 8')
    const saved = await sofia.submit(SHARED, { ...strong, sign_up_tenant_id: testing })
    expect(saved.headers.get('location')).toBe(SHARED)
    const again = await (await sofia.visit(SHARED)).text()
    expect(again.match(/<input[^>]*name="password_policy.min_length"[^>]*>/)?.[0]).toContain('value="12"')
    expect(again.match(/<input[^>]*value="nickname"[^>]*>/)?.[0]).toContain('checked')

    const { page: first, answer } = await arrive(site, 'new@nowhere.example')
    expect(first.path).toBe('/login/signUp')
    expect(first.html).toContain('Your account will belong to Liftwell Testing')
    expect(first.html).toContain('At least 12 characters, with numbers.')
    expect(first.html).toContain('name="nickname"')
    const short = {
      username: 'new@nowhere.example',
      nickname: 'N',
      password: 'short',
      confirm_password: 'short',
    }
    expect((await answer('signUp', short)).html.replaceAll('<!-- -->', '')).toContain(
      'Password: Password must have at least 12 characters. Password must have numbers<',
    )
    const made = await answer('signUp', { username: 'new@nowhere.example', nickname: 'N', ...newcomer })
    expect(made.path).toBe('/login/confirmSignUp')
  })

  it('creates no account when nobody can sign up', async () => {
    await sofia.submit(SHARED, { initial_screen: 'forgotPassword', reveals_users: 'on' })
    const { page: first, answer, open } = await arrive(site, 'nobody@nowhere.example')
    expect(first.path).toBe('/login/forgotPassword')
    expect((await answer('forgotPassword', { username: 'nobody@nowhere.example' })).html).toContain(
      'Username/client id combination not found.',
    )
    expect((await open('/login/signUp')).path).not.toBe('/login/signUp')
    await sofia.submit(SHARED, { initial_screen: 'signIn', sign_up_tenant_id: testing })
  })
})

describe('A company’s own sign-in', () => {
  it('takes over its people with their passwords, and logs them out', async () => {
    const adam = await site.visitor(ADAM)
    expect((await adam.visit('/users')).status).toBe(200)
    const chosen = await (await sofia.submit(page(), { kind: 'embedded', intent: 'choose' })).text()
    expect(chosen).toContain('name="allow_sign_up"')
    expect(await (await sofia.visit(page())).text()).not.toContain('name="allow_sign_up"')

    const saved = await sofia.submit(page(), {
      kind: 'embedded',
      domains: 'northwind.example',
      allow_sign_up: 'on',
      'password_policy.min_length': '14',
    })
    expect(saved.status).toBe(302)
    expect((await adam.visit('/users')).headers.get('location')).toContain('/login')
    const { rows } = await world.accounts.query<{ pool_id: string }>(
      'select pool_id from identity.users where username = $1',
      [ADAM],
    )
    expect(rows).toEqual([{ pool_id: `own-${northwind}` }])
    expect((await (await site.visitor(ADAM)).visit('/users')).status).toBe(200)
  })

  it('answers known and unknown addresses of its domain alike, and names the company', async () => {
    const pages = await Promise.all(
      [ADAM, 'nobody@northwind.example'].map(async (email) => {
        const { page: first } = await arrive(site, email)
        return { path: first.path, html: first.html.replaceAll(email, '').replace(/nonce="[^"]*"/g, '') }
      }),
    )
    expect(pages[0]?.path).toBe(pages[1]?.path)
    for (const { html } of pages) expect(html).toMatch(/>Northwind[^<]*<\/p>/)
    const asked = await Promise.all(
      [ADAM, 'nobody@northwind.example'].map(async (email) => {
        const visitor = await site.visitor()
        return (await visitor.visit(`/api/v1/users/pool?email=${encodeURIComponent(email)}`)).text()
      }),
    )
    expect(asked[0]).toBe(asked[1])
    expect(asked[0]).toContain(`own-${northwind}`)
  })

  it('lets people of its domain sign up, and the shared sign-in does not', async () => {
    const { answer, page: first } = await arrive(site, 'fresh@northwind.example')
    expect(first.html).toContain('Create Account')
    const form = { username: 'fresh@northwind.example', ...newcomer }
    expect((await answer('signUp', form)).path).toBe('/login/confirmSignUp')

    const stranger = await arrive(site, 'somebody@nowhere.example')
    const refused = await stranger.answer('signUp', {
      username: 'other@northwind.example',
      ...newcomer,
    })
    expect(refused.html).toContain('SignUp is not permitted for this user pool')
  })

  it('gives its people back to the shared sign-in', async () => {
    expect((await sofia.submit(page(), { kind: 'shared' })).status).toBe(302)
    const { rows } = await world.accounts.query<{ pool_id: string }>(
      'select pool_id from identity.users where username = $1',
      [ADAM],
    )
    expect(rows).toEqual([{ pool_id: 'default' }])
    expect((await (await site.visitor(ADAM)).visit('/users')).status).toBe(200)
  })
})

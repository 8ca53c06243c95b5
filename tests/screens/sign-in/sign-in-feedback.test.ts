/** Feedback during sign-in: resent codes, refusals in plain words, titles, further links, accepted addresses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import { arrive, openWorld, type World } from './sign-in-world.ts'

let site: Site
let world: World
beforeAll(async () => {
  site = await openSite()
  world = await openWorld()
})
afterAll(async () => {
  await world.close()
  await site.close()
})

const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1]

describe('The first page', () => {
  it('leads to a new account and to a forgotten password', async () => {
    const visitor = await site.visitor()
    const first = await visitor.follow(await visitor.visit('/login?redirect=/users'))
    expect(first.html).toContain('Forgot your password?')
    const [, signUp = ''] = /href="(\/auth\/start\/default\?[^"]*)"/.exec(first.html) ?? []
    expect(signUp.replaceAll('&amp;', '&')).toBe('/auth/start/default?signUp=true&redirect=%2Fusers')
    expect((await visitor.follow(await visitor.visit(signUp.replaceAll('&amp;', '&')))).path).toBe(
      '/login/signUp',
    )

    const forgot = await site.visitor()
    expect(await (await forgot.visit('/login?forgotPassword=false')).text()).toContain('<title>Sign In')
    const asked = await forgot.follow(await forgot.visit('/login?forgotPassword=true'))
    expect(asked.html).toContain('Reset your password')
    expect(titleOf(asked.html)).toBe('Reset your password · Liftwell')
    const sent = await forgot.submit('/login?forgotPassword=true', { email: 'uri@northwind.example' })
    expect((await forgot.follow(sent)).path).toBe('/login/forgotPassword')
  })

  it('accepts domains in every alphabet, and says which addresses it cannot accept', async () => {
    const { page } = await arrive(site, 'me@exämple.de')
    expect(page.path).toBe('/login/signIn')
    expect(page.html).toContain('me@xn--exmple-cua.de')
    const visitor = await site.visitor()
    const refused = await visitor.submit('/login', { email: 'ü@example.de' })
    const html = await refused.text()
    expect(html).toContain('We cannot write to addresses with letters like ü before the @.')
    expect(titleOf(html)).toBe('Error: Sign In · Liftwell')
  })
})

describe('A refusal', () => {
  it('is in the title of the page without scripts', async () => {
    const { page, answer } = await arrive(site, 'nobody@nowhere.example')
    expect(titleOf(page.html)).toBe('Sign In · Liftwell')
    const refused = await answer('signIn', { username: 'nobody@nowhere.example', password: 'wrong' })
    expect(titleOf(refused.html)).toBe('Error: Sign In · Liftwell')
  })

  it('of an expired temporary password says how to get another', async () => {
    const username = 'ravi@testing.example'
    await world.change(
      username,
      `status = 'FORCE_CHANGE_PASSWORD', temporary_until = now() - interval '1 hour'`,
    )
    const { answer, open } = await arrive(site, username)
    const { password = '' } = site.accounts.find(({ email }) => email === username) ?? {}
    const { html } = await answer('signIn', { username, password })
    expect(html).toContain('Temporary password has expired and must be reset by an administrator.')
    expect(html).toContain('Try “Forgot your password?”')
    await open('/login/forgotPassword')
    const asked = await answer('forgotPassword', { username })
    expect(asked.html).toContain('If you have never chosen a password, the email is a new invitation instead')
    await world.change(username, `status = 'CONFIRMED', temporary_until = null`)
  })

  it('of a sign-up links to its fields, after a check of dates, addresses and names', async () => {
    await world.setPool({ required_attributes: ['birthdate', 'website', 'given_name'] })
    const { answer, open } = await arrive(site, 'n@nowhere.example')
    await open('/login/signUp')
    const form = {
      username: 'n@nowhere.example',
      password: 'a fine long phrase',
      confirm_password: 'a fine long phrase',
    }
    const wrong = {
      birthdate: 'yesterday',
      website: 'javascript:alert(1)',
      given_name: 'https://evil.example',
    }
    const { html } = await answer('signUp', { ...form, ...wrong })
    expect(html).toContain('href="#sign-up-birthdate"')
    const birthdate = /for="sign-up-birthdate".*?type="date".*?>/.exec(html)?.[0]
    expect(birthdate).toBeDefined()
    expect(birthdate).not.toMatch(/maxlength|characters/i)
    expect(html).toContain('Please enter a date, such as 1990-12-31')
    expect(html).not.toContain('Please enter a date in the past')
    expect(html).toContain('Please enter a full address, beginning with https://')
    expect(html).toContain('Please use a name, not a web address')
    const right = { birthdate: '1990-12-31', website: 'https://me.example', given_name: 'Ana' }
    expect((await answer('signUp', { ...form, ...right })).path).toBe('/login/confirmSignUp')
    await world.setPool({ required_attributes: ['given_name', 'family_name'] })
  })
})

describe('Another code', () => {
  it('is announced, or refused as too early', async () => {
    const { answer, open } = await arrive(site, 'uri@northwind.example')
    await open('/login/forgotPassword')
    await answer('forgotPassword', { username: 'uri@northwind.example' })
    const early = await answer('confirmResetPassword', { intent: 'resend' })
    expect(early.html).toContain('The code was sent a moment ago. Please wait 30 seconds')
    await world.accounts.query(
      `update identity.codes set sent = array(select at - interval '1 minute' from unnest(sent) as at)`,
    )
    const again = await answer('confirmResetPassword', { intent: 'resend' })
    expect(again.html).toContain('A new code is on its way.')
  })
})

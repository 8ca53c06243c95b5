/** From the mail of an invitation to a session: its link is opened by people, and by programs that scan their mail. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { hands, openWorld, PASSWORD, type World } from './sign-in-world.ts'

let site: Site
let world: World
let tess: Visitor

beforeAll(async () => {
  site = await openSite()
  world = await openWorld()
  tess = await site.visitor('tess@testing.example')
})
afterAll(async () => {
  await world?.close()
  await site?.close()
})
beforeEach(() => world.forgive())

async function mailsTo(email: string, count: number): Promise<string[]> {
  const read = async () =>
    (
      await world.app.query<{ body: string }>(
        'select body from outbox_messages where recipient = $1 order by id',
        [email],
      )
    ).rows.map(({ body }) => body)
  await expect.poll(async () => (await read()).length, { timeout: 20_000 }).toBe(count)
  return read()
}

let people = 0
async function invite(name: string, last_name = 'Invited') {
  people += 1
  const email = `${name}-${people}@testing.example`
  const person = { first_name: name, last_name, email, 'user_general_roles[0].role': 'user' }
  const roles = { 'user_general_roles[0].sub_tenant_id': '', send_welcome: 'on' }
  expect((await tess.submit('/users/add', { ...person, ...roles })).status).toBe(302)
  const [mail = ''] = await mailsTo(email, 1)
  return { email, mail, link: linkIn(mail) }
}

const linkIn = (mail = '') => new URL(/Choose your password: (\S+)/.exec(mail)?.[1] ?? 'none:').pathname
const somebody = async () => {
  const visitor = await site.visitor()
  return { visitor, ...hands(visitor) }
}
const CHOSEN = { password: PASSWORD, confirm_password: PASSWORD }

describe('The link of an invitation', () => {
  it('asks for the name that is missing, and saves it', async () => {
    const { link, email } = await invite('nora', '')
    const { visitor, answer } = await somebody()
    await visitor.follow(await visitor.visit(link))
    await answer('forceNewPassword', { ...CHOSEN, family_name: 'Nordmann' })
    const found = await (await tess.visit(`/users?q=${email}`)).text()
    expect(found).toContain('nora Nordmann')
  })

  it('leads to a password and a session, even after scanners have opened it', async () => {
    const { link, mail, email } = await invite('ines')
    expect(mail).not.toMatch(/temporary/i)
    expect(mail).toMatch(/^Hi ines,/)
    expect(mail).toContain('choose “Forgot your password?”')
    for (let opened = 0; opened < 3; opened++) {
      const scanner = await site.visitor()
      expect((await scanner.visit(link, { method: 'HEAD' })).status).toBeLessThan(400)
      expect((await scanner.follow(await scanner.visit(link))).path).toBe('/login/forceNewPassword')
    }
    const { visitor, open, answer, isIn } = await somebody()
    const page = await open(link)
    expect([page.path, page.response.status]).toEqual(['/login/forceNewPassword', 200])
    for (const words of ['Choose your password', email]) expect(page.html).toContain(words)
    expect(page.html).not.toContain('temporary')
    expect(visitor.cookies.has('__Host-invitation')).toBe(false)
    expect((await open('/login/forceNewPassword')).html).toContain('Choose your password')
    const poor = await answer('forceNewPassword', { password: 'short', confirm_password: 'short' })
    expect([poor.response.status, poor.html]).toEqual([400, expect.stringContaining('at least 8 characters')])
    await answer('forceNewPassword', CHOSEN)
    expect(isIn()).toBe(true)

    const late = await somebody()
    const again = await late.open(link)
    expect(again.path).toBe('/login/signIn')
    expect(again.html).toContain('This link was used already')
    await late.answer('signIn', { username: email, password: PASSWORD })
    expect(late.isIn()).toBe(true)
  })

  it('says who is signed in when it is opened in the session of another person', async () => {
    const { link, email } = await invite('kim')
    const { html } = await tess.follow(await tess.visit(link))
    expect(html).toContain('You are signed in as tess@testing.example')
    expect(html).toContain('log out first, then open its link again')
    const { open } = await somebody()
    expect((await open(link)).html, 'it is as good as before').toContain(email)
  })

  it('is sent with the time until which it works, in the time zone of its reader', async () => {
    await world.setTenant(`timezone = 'Asia/Tokyo'`)
    const { mail, email } = await invite('toki')
    await world.setTenant(`timezone = 'UTC'`)
    const { rows } = await world.accounts.query<{ until: string }>(
      `select to_char(temporary_until at time zone 'Asia/Tokyo', 'FMDay, FMMonth FMDD, YYYY "at" FMHH12:MI AM') as until
       from identity.users where username = $1`,
      [email],
    )
    expect(mail).toContain(`until ${rows[0]?.until} (Asia/Tokyo).`)
  })

  it('stops working once a newer one was sent, by an administrator or after Forgot your password', async () => {
    const { link, email } = await invite('rene')
    const [id] = (await world.app.query<{ id: number }>('select id from users where email = $1', [email]))
      .rows
    await tess.submit(`/users/edit/${id?.id}`, { intent: 'resend_welcome' })
    const second = linkIn((await mailsTo(email, 2))[1])
    const first = await somebody()
    expect((await first.open(link)).html).toContain('a newer invitation has replaced it')

    const forgetful = await somebody()
    await forgetful.visitor.follow(await forgetful.visitor.submit('/login?forgotPassword=true', { email }))
    await forgetful.answer('forgotPassword', { username: email })
    const mail = (await mailsTo(email, 3))[2]
    expect(mail).toMatch(/The link works once, until \w+day, \w+ \d+, \d{4} at .*\(UTC\)\./)
    expect((await (await somebody()).open(second)).html).toContain('a newer invitation has replaced it')
    const { open, answer, isIn } = await somebody()
    expect((await open(linkIn(mail))).path).toBe('/login/forceNewPassword')
    await answer('forceNewPassword', CHOSEN)
    expect(isIn()).toBe(true)
  })

  it('leads to a page that says what to do when it is expired or made up', async () => {
    const { link, email } = await invite('olaf')
    await world.change(email, `temporary_until = now() - interval '1 minute'`)
    const late = await (await somebody()).open(link)
    expect([late.path, late.html]).toEqual([
      '/login/signIn',
      expect.stringContaining('This invitation has expired. Choose “Forgot your password?”'),
    ])
    expect((await (await somebody()).open('/invitation/default/x')).html).toContain(
      'This link was used already',
    )
    expect((await (await somebody()).open('/invitation/nowhere/x')).response.status).toBe(404)
    expect((await tess.follow(await tess.visit(link))).path).toBe('/')
  })
})

/**
 * A person's own second factor and password, and how administrators help people who cannot get in: without JavaScript.
 */
import { generate } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { offersOf } from '#tests/screens/every-page/page-controls.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { arrive as arriveAt, openWorld, type World } from './sign-in-world.ts'

const LENA = 'lena@testing.example'
const RAVI = 'ravi@testing.example'
const TESS = 'tess@testing.example'
const HERE = '/settings/security'
const APP = `${HERE}/app`

let site: Site
let world: World

beforeAll(async () => {
  site = await openSite()
  world = await openWorld()
  await world.app.query('update users set accepted_terms_on = now()')
})
afterAll(async () => {
  await world?.close()
  await site?.close()
})
beforeEach(async () => {
  await world.forgive()
  await world.accounts.query(
    'update identity.users set preferred_mfa = null, totp_secret_sealed = null, totp_last_step = null',
  )
})

const passwordOf = (address: string) => site.accounts.find((one) => one.email === address)?.password ?? ''
const html = async (visitor: Visitor, path = HERE) => (await visitor.visit(path)).text()
const plain = (page: string) => page.replaceAll('<!-- -->', '')
const secretIn = (page: string) => /id="totp-secret"[^>]*>([A-Z2-7]{32})</.exec(page)?.[1] ?? ''
const submit = async (visitor: Visitor, fields: Record<string, string>, path = HERE) =>
  visitor.follow(await visitor.submit(path, fields))

/** Signs in up to the page after the password. */
async function signIn(email: string, password = passwordOf(email)) {
  const hands = await arriveAt(site, email)
  return { ...hands, page: await hands.answer('signIn', { username: email, password }) }
}

async function mailsTo(email: string): Promise<string[]> {
  const { rows } = await world.app.query<{ subject: string }>(
    'select subject from outbox_messages where recipient = $1 order by id',
    [email],
  )
  return rows.map(({ subject }) => subject)
}

async function audited(): Promise<string[]> {
  const { rows } = await world.app.query<{ action: string }>('select action from audit_events order by id')
  return rows.map(({ action }) => action)
}

async function setUpApp(visitor: Visitor, email: string): Promise<string> {
  const page = await submit(visitor, { preferred: 'new_app', password: passwordOf(email) })
  expect(page.path).toBe(APP)
  const secret = secretIn(page.html)
  const done = await submit(visitor, { code: await generate({ secret }) }, APP)
  expect(done.path).toBe(HERE)
  return secret
}

describe('An authenticator app', () => {
  it('has one secret in two tabs, and a tab that comes too late says so', async () => {
    const [one, other] = [await site.visitor(LENA), await site.visitor(LENA)]
    const choose = (tab: Visitor, preferred: string) => submit(tab, { preferred, password: passwordOf(LENA) })
    const confirm = async (tab: Visitor, secret: string) =>
      submit(tab, { code: await generate({ secret }) }, APP)
    const secret = secretIn((await choose(one, 'new_app')).html)
    expect(secretIn((await choose(other, 'new_app')).html)).toBe(secret)
    expect((await confirm(one, secret)).html).toContain('Authenticator app set up')
    expect((await confirm(other, secret)).html).toContain('No app is being set up')

    const next = secretIn((await choose(other, 'new_app')).html)
    await choose(one, 'none')
    const late = await confirm(other, next)
    expect(late.path).toBe(HERE)
    expect(late.html).toContain('No app is being set up')
    expect(late.html).toMatch(/>Off</)
  })

  it('is set up with the password and a code, asked for, replaced and removed', async () => {
    const lena = await site.visitor(LENA)
    expect(await html(lena, '/settings/profile')).toContain(`href="${HERE}"`)
    expect(await html(lena)).toMatch(/>Off</)
    const choose = (preferred: string, password = passwordOf(LENA)) => submit(lena, { preferred, password })

    const wrong = await choose('new_app', 'not my password')
    expect(wrong.response.status).toBe(422)
    expect(wrong.html).toContain('Incorrect password.')
    expect(wrong.html).not.toContain('not my password')
    expect((await choose('', '')).html).toContain('This field is required')

    const page = await choose('new_app')
    expect(page.html).toContain('Nothing changes until you enter a code from the new app.')
    expect(page.html).toMatch(/<svg[^>]*width="228"[^>]*height="228"/)
    const secret = secretIn(page.html)
    const confirm = (code: string) => submit(lena, { code }, APP)
    const refused = await confirm('000000')
    expect(refused.response.status).toBe(422)
    expect(refused.html).toContain('Invalid code received for user')
    expect(secretIn(refused.html)).toBe(secret)
    expect((await confirm('12')).html).toContain('The code has six digits')
    const code = await generate({ secret })
    expect((await confirm(` ${code.slice(0, 3)} ${code.slice(3)} `)).html).toContain('On: authenticator app')
    expect((await lena.visit(`${HERE}?step=app`)).headers.get('location')).toBe(APP)
    expect((await lena.visit(APP)).headers.get('location')).toBe(HERE)

    const again = await signIn(LENA)
    expect(again.page.path).toBe('/login/confirmSignIn')
    expect(again.page.html).toContain('Ask an administrator of your company to remove your second factor.')
    await world.change(LENA, 'totp_last_step = totp_last_step - 10')
    await again.answer('confirmSignIn', { confirmation_code: await generate({ secret }) })
    expect(again.isIn()).toBe(true)

    const other = await setUpApp(lena, LENA)
    expect(other).not.toBe(secret)
    await world.change(LENA, 'totp_last_step = totp_last_step - 10')
    const late = await signIn(LENA)
    expect(
      (await late.answer('confirmSignIn', { confirmation_code: await generate({ secret }) })).html,
    ).toContain('Invalid code received for user')

    expect((await choose('none')).html).toMatch(/>Off</)
    expect((await signIn(LENA)).isIn()).toBe(true)
    await expect
      .poll(() => mailsTo(LENA), { timeout: 15_000 })
      .toEqual(expect.arrayContaining(['Your second factor was set up', 'Your second factor was removed']))
    expect(await audited()).toEqual(
      expect.arrayContaining(['user.second_factor_changed', 'user.second_factor_removed']),
    )
  })

  it('is not logged again when the choice stays the same', async () => {
    const ravi = await site.visitor(RAVI)
    const told = async () => (await audited()).filter((action) => action.startsWith('user.second_factor'))
    const before = await told()
    const off = await submit(ravi, { preferred: 'none', password: passwordOf(RAVI) })
    expect(off.html).toMatch(/>Off</)
    expect(await told()).toEqual(before)
    await setUpApp(ravi, RAVI)
    await submit(ravi, { preferred: 'app', password: passwordOf(RAVI) })
    expect(await told()).toEqual([...before, 'user.second_factor_changed'])
  })

  it('cannot be removed by a person who needs one', async () => {
    await world.setTenant(`settings = settings || '{"admins_need_second_factor": true}'`)
    try {
      const entered = await signIn(TESS)
      expect(entered.page.path).toBe('/login/setupTotp')
      const secret = secretIn(entered.page.html)
      await entered.answer('setupTotp', { confirmation_code: await generate({ secret }) })
      expect(entered.isIn()).toBe(true)
      expect(await html(entered.visitor)).not.toContain('Nothing else')
      const wish = { preferred: 'none', password: passwordOf(TESS) }
      const refused = await submit(entered.visitor, wish)
      expect(refused.response.status).toBe(409)
      expect(refused.html).toContain('You need a second factor here')
      expect((await signIn(TESS)).page.path).toBe('/login/confirmSignIn')
    } finally {
      await world.setTenant(`settings = settings - 'admins_need_second_factor'`)
      await world.change(TESS, 'preferred_mfa = null, totp_secret_sealed = null, totp_last_step = null')
    }
  })
})

describe('A company that requires a second factor of its administrators', () => {
  it('asks administrators who are signed in at their next request, and keeps what they typed', async () => {
    const [lena, tess] = [await site.visitor(LENA), await site.visitor(TESS)]
    await world.setTenant(`settings = settings || '{"admins_need_second_factor": true}'`)
    try {
      const first = `${HERE}?needed=true&redirect=${encodeURIComponent('/users?q=le')}`
      expect((await tess.visit('/users?q=le')).headers.get('location')).toBe(first)
      expect((await tess.visit('/switch')).headers.get('location')).toContain(`${HERE}?needed=true`)
      expect((await tess.visit('/settings/profile')).status).toBe(200)
      expect((await lena.visit('/todo')).status).toBe(200)

      const typed = {
        first_name: 'Typed "before"',
        last_name: 'It was asked',
        email: 'typed@testing.example',
        'user_general_roles[0].role': 'user',
        'user_general_roles[0].sub_tenant_id': '',
      }
      const kept = await tess.submit('/users/add', typed)
      const page = await kept.text()
      expect(kept.status).toBe(403)
      expect(page).toContain('One step first')
      expect(page).toContain('value="Typed &quot;before&quot;"')
      const form = offersOf(page, '/users/add').find((offer) => offer.kind === 'form')
      const fields = Object.fromEntries(form?.kind === 'form' ? form.fields : [])
      expect([form?.to, fields]).toEqual(['/users/add', typed])

      expect(await html(tess, first)).toContain('One step first')
      const choice = { preferred: 'new_app', password: passwordOf(TESS) }
      const pending = await submit(tess, choice, first)
      const code = await generate({ secret: secretIn(pending.html) })
      const done = await submit(tess, { code }, pending.path)
      expect(done.path).toBe('/users?q=le')
      expect((await tess.submit(form?.to ?? '', fields)).status).toBe(302)
      expect(await html(tess, '/users?q=Typed')).toContain('It was asked')
    } finally {
      await world.setTenant(`settings = settings - 'admins_need_second_factor'`)
      await world.change(TESS, 'preferred_mfa = null, totp_secret_sealed = null, totp_last_step = null')
    }
  })
})

describe('A code by text', () => {
  it('goes to a number that was confirmed, and to no other', async () => {
    const lena = await site.visitor(LENA)
    await world.app.query(
      `update users set mobile_phone = '+15552221111', phone_verified_on = null where email = $1`,
      [LENA],
    )
    const wish = { preferred: 'sms', password: passwordOf(LENA) }
    expect(await html(lena)).toContain('confirm your phone number')
    expect((await submit(lena, wish)).html).toContain('Confirm your phone number first.')
    await world.app.query('update users set phone_verified_on = now() where email = $1', [LENA])
    expect(await html(lena)).toContain('A code by text message to ********1111')
    expect((await submit(lena, wish)).html).toContain('On: text message to ********1111')
    const { page, answer, isIn } = await signIn(LENA)
    expect(page.html).toContain('Confirm SMS Code')
    await answer('confirmSignIn', { confirmation_code: await world.codeFor('+15552221111') })
    expect(isIn()).toBe(true)
    const told = 'Sign-in codes still go to ********1111.'
    const [contact, remove] = ['/settings/contact', '/settings/contact/remove']
    expect(plain(await html(lena, contact))).not.toContain(told)
    expect(plain(await html(lena, remove))).toContain(told)
    await world.app.query(`update users set mobile_phone = '+15552222222' where email = $1`, [LENA])
    expect(plain(await html(lena, contact))).toContain(told)
    await submit(lena, { ...wish, preferred: 'none' })
    for (const path of [contact, remove]) expect(plain(await html(lena, path))).not.toContain('Sign-in codes')
  })
})

describe('A new password', () => {
  it('ends every session, even the current one, and the old password no longer works', async () => {
    const [here, there] = [await site.visitor(RAVI), await site.visitor(RAVI)]
    const change = (new_password: string, more: Record<string, string> = {}) =>
      submit(
        here,
        { password: passwordOf(RAVI), new_password, confirm_password: new_password, ...more },
        `${HERE}/password`,
      )
    expect(await html(here)).toContain(`href="${HERE}/password"`)
    expect((await change('words of my own', { confirm_password: 'others' })).html).toContain(
      'Your passwords must match',
    )
    expect((await change('short')).html).toContain('Password must have at least 8 characters')
    expect((await change('words of my own', { password: 'a guess' })).html).toContain('Incorrect password.')
    expect((await there.visit(HERE)).status).toBe(200)
    const mine = '  words of my own  '
    expect((await change(mine)).path).toBe('/login')
    for (const visitor of [here, there])
      expect((await visitor.visit(HERE)).headers.get('location')).toMatch(/^\/login/)
    expect((await signIn(RAVI)).isIn()).toBe(false)
    expect((await signIn(RAVI, mine.trim())).isIn()).toBe(false)
    expect((await signIn(RAVI, mine)).isIn()).toBe(true)
    expect(await audited()).toContain('user.password_changed')
  })
})

describe('An administrator', () => {
  async function idOf(email: string): Promise<string> {
    const { rows } = await world.app.query<{ id: string }>('select id from users where email = $1', [email])
    return rows[0]?.id ?? ''
  }

  it('removes a lost second factor after a question; the person is told and logged out', async () => {
    const [lena, tess] = [await site.visitor(LENA), await site.visitor(TESS)]
    await setUpApp(lena, LENA)
    const path = `/users/edit/${await idOf(LENA)}`
    expect(await html(tess, path)).toContain(`${path}?ask=take_second_factor`)
    expect(await html(tess, `${path}?ask=take_second_factor`)).toContain('Yes, remove it')
    expect((await tess.submit(path, { intent: 'take_second_factor' })).status).toBe(302)
    await expect
      .poll(async () => (await lena.visit(HERE)).headers.get('location') ?? 'in', { timeout: 15_000 })
      .toMatch(/^\/login/)
    expect((await signIn(LENA)).isIn()).toBe(true)
    await expect
      .poll(() => mailsTo(LENA), { timeout: 15_000 })
      .toContain('An administrator removed your second factor')
    expect(await audited()).toContain('user.second_factor_taken')
    const again = await submit(tess, { intent: 'take_second_factor' }, path)
    expect(again.html, 'nobody is told of what did not happen').toContain('This person has no second factor.')
  })

  it('requires a new password after a question; the old one leads to a code', async () => {
    const [lena, tess] = [await site.visitor(LENA), await site.visitor(TESS)]
    const path = `/users/edit/${await idOf(LENA)}`
    expect(await html(tess, `${path}?ask=reset_password`)).toContain('Yes, require it')
    expect((await tess.submit(path, { intent: 'reset_password' })).status).toBe(302)
    await expect
      .poll(async () => (await lena.visit(HERE)).headers.get('location') ?? 'in', { timeout: 15_000 })
      .toMatch(/^\/login/)
    const { page, answer, isIn } = await signIn(LENA)
    expect(page.path).toBe('/login/confirmResetPassword')
    const password = passwordOf(LENA)
    const confirmation_code = await world.codeFor(LENA)
    await answer('confirmResetPassword', { confirmation_code, password, confirm_password: password })
    expect(isIn()).toBe(false)
    expect((await signIn(LENA)).isIn()).toBe(true)
    expect(await audited()).toContain('user.password_reset_required')
  })

  it('cannot reset their own sign-in or that of people who never signed in; users can reset nobody', async () => {
    const [lena, tess] = [await site.visitor(LENA), await site.visitor(TESS)]
    const own = `/users/edit/${await idOf(TESS)}`
    expect(await html(tess, own)).not.toContain('ask=take_second_factor')
    for (const intent of ['take_second_factor', 'reset_password']) {
      const { html: page } = await submit(tess, { intent }, own)
      expect(page).toContain('Change how you sign in on your own profile.')
      expect((await lena.submit(own, { intent })).status).toBe(403)
    }
    await world.app.query(`update users set activation_status = 'invited' where email = $1`, [RAVI])
    const page = await submit(tess, { intent: 'reset_password' }, `/users/edit/${await idOf(RAVI)}`)
    expect(page.html).toContain('Send an invitation instead.')
  })
})

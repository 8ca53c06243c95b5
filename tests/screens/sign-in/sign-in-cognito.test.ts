/** Our sign-in screens in front of a Cognito user pool's API: without JavaScript. */
import { sql } from 'kysely'
import { generate } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CODE, GAPS } from '#tests/fakes/cognito-local.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import { arriveAtCognito, type CognitoWorld, openCognito, strangerAtCognito } from './cognito-world.ts'

const PASSWORD = 'Correct horse 7 battery staple'
const OTHER = 'Another horse 8 battery staple'

let site: Site
let there: CognitoWorld
beforeAll(async () => {
  site = await openSite()
  there = await openCognito(site)
})
afterAll(async () => {
  await there?.close()
  await site?.close()
})
beforeEach(() => there.wire.relent())

const arrive = (email: string, query?: string) => arriveAtCognito(site, email, query)
const twice = (password: string) => ({ password, confirm_password: password })

/** A person known to the company, and to the foreign server or the stub. */
async function person(email: string, more: object = {}, attributes: Record<string, string> = {}) {
  await there.addPerson(email)
  if (email.includes('@local.')) await there.local.createUser(there.local_pool, email, PASSWORD)
  else there.wire.person(email, { password: PASSWORD, ...more }, attributes)
  return email
}

describe('At a foreign server of Cognito', () => {
  it('a wrong password stays on the form, the right one leads to the page that was requested', async () => {
    const email = await person('pia@local.example')
    const { page, answer, isIn, visitor } = await arrive(email, '?redirect=%2Fsettings%2Fsessions')
    expect(page.path).toBe('/login/signIn')
    expect(page.html).toContain(`value="${email}"`)
    for (const username of [email, 'nobody@local.example']) {
      const wrong = await answer('signIn', { username, password: 'a wrong guess' })
      expect(wrong.response.status).toBe(400)
      expect(wrong.html).toMatch(/role="alert".*Incorrect username or password\./s)
      expect(wrong.html).not.toMatch(/class="field-errors"|a wrong guess/)
    }
    expect(isIn()).toBe(false)
    const end = await answer('signIn', { username: email, password: PASSWORD })
    expect(end.path).toBe('/settings/sessions')
    expect(end.html).toContain('This browser')
    const { rows } = await sql`select activation_status from users where email = ${email}`.execute(
      there.stage,
    )
    expect(rows).toEqual([{ activation_status: 'active' }])
    expect((await visitor.follow(await visitor.submit('/logout', {}))).path).toBe('/login')
    expect(isIn()).toBe(false)
  })

  it('a new person signs up, confirms, and signs in as a user of the company', async () => {
    const { page, answer, open, isIn } = await strangerAtCognito(site, 'local')
    expect(page.html).toContain('Create Account')
    await open('/login/signUp')
    const username = 'nina@local.example'
    const weak = await answer('signUp', { username, ...twice('short') })
    expect(weak.html).toContain('Password must have at least 8 characters')
    const sent = await answer('signUp', { username, ...twice(PASSWORD) })
    expect(sent.path).toBe('/login/confirmSignUp')
    expect(sent.html).toContain('We Emailed You')
    const wrong = await answer('confirmSignUp', { confirmation_code: '000000' })
    expect(wrong.response.status).toBe(400)
    const end = await answer('confirmSignUp', { confirmation_code: CODE })
    expect(end.path).toBe('/login/signIn')
    expect(end.html).toContain('Your account is confirmed. You can sign in now.')
    // The foreign server verifies nothing itself.
    await there.setPool('local', { recognise_by_email: 'any' })
    const skipped = await answer('signIn', { username, password: PASSWORD })
    if (skipped.path === '/login/verifyUser') await answer('verifyUser', { intent: 'skip' })
    expect(isIn()).toBe(true)
    const { rows } = await sql`
      select t.name, r.role from users u join tenants t on t.id = u.tenant_id
        join user_general_roles r on r.user_id = u.id where email = ${username}`.execute(there.stage)
    expect(rows).toEqual([{ name: 'People of local', role: 'user' }])
    await there.setPool('local', { recognise_by_email: 'verified' })
  })

  it('a sign-up that is sent twice, at once or later, leads to its code both times', async () => {
    for (const [i, pause] of [0, 150, 1000].entries()) {
      const { visitor, answer, open } = await strangerAtCognito(site, 'local')
      await open('/login/signUp')
      const wish = { username: `dora-${i}@local.example`, ...twice(PASSWORD) }
      const first = visitor.submit('/login/signUp', wish)
      await new Promise((resolve) => setTimeout(resolve, pause))
      for (const sent of await Promise.all([first, visitor.submit('/login/signUp', wish)]))
        expect((await visitor.follow(sent)).path).toBe('/login/confirmSignUp')
      const end = await answer('confirmSignUp', { confirmation_code: CODE })
      expect(end.html).toContain('Your account is confirmed. You can sign in now.')
    }
    // For another person's address the server's own message is shown.
    const { answer, open } = await strangerAtCognito(site, 'local')
    await open('/login/signUp')
    const taken = await answer('signUp', { username: 'dora-0@local.example', ...twice(PASSWORD) })
    expect(taken.path).toBe('/login/signUp')
    expect(taken.html).toContain('User already exists')
  })

  it('a forgotten password is replaced', async () => {
    const email = await person('fay@local.example')
    const { page, answer, isIn } = await arrive(email, `?forgotPassword=${email}`)
    expect(page.path).toBe('/login/forgotPassword')
    const sent = await answer('forgotPassword', { username: email })
    expect(sent.path).toBe('/login/confirmResetPassword')
    const wrong = await answer('confirmResetPassword', { confirmation_code: '000000', ...twice(OTHER) })
    expect(wrong.response.status).toBe(400)
    const end = await answer('confirmResetPassword', { confirmation_code: CODE, ...twice(OTHER) })
    expect(end.html).toContain('Your password was changed. Sign in with the new one.')
    await answer('signIn', { username: email, password: OTHER })
    expect(isIn()).toBe(true)
  })

  it('an invited person chooses a password', async () => {
    const email = 'ivan@local.example'
    await there.addPerson(email)
    await there.local.createUser(there.local_pool, email)
    const { answer, isIn } = await arrive(email)
    const asked = await answer('signIn', { username: email, password: 'Temporary-1' })
    expect(asked.path).toBe('/login/forceNewPassword')
    expect(asked.html).not.toContain('Given Name')
    await answer('forceNewPassword', twice(PASSWORD))
    expect(isIn()).toBe(true)
  })

  it('an unverified contact is verified, or skipped', async () => {
    const email = await person('vera@local.example')
    const { AdminUpdateUserAttributesCommand } = await import('@aws-sdk/client-cognito-identity-provider')
    await there.local.admin.send(
      new AdminUpdateUserAttributesCommand({
        UserPoolId: there.local_pool,
        Username: email,
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'email_verified', Value: 'false' },
        ],
      }),
    )
    await there.setPool('local', { recognise_by_email: 'any' })
    const first = await arrive(email)
    const asked = await first.answer('signIn', { username: email, password: PASSWORD })
    expect(asked.path).toBe('/login/verifyUser')
    await first.answer('verifyUser', { intent: 'skip' })
    expect(first.isIn()).toBe(true)
    const second = await arrive(email)
    await second.answer('signIn', { username: email, password: PASSWORD })
    const sent = await second.answer('verifyUser', { unverifiedAttr: 'email' })
    expect(sent.path).toBe('/login/confirmVerifyUser')
    await second.answer('confirmVerifyUser', { confirmation_code: CODE })
    expect(second.isIn()).toBe(true)
    await there.setPool('local', { recognise_by_email: 'verified' })
  })
})

describe('In the wire format of the Cognito service', () => {
  it('a wrong password and an unknown name get the same message', async () => {
    const email = await person('pia@wire.example')
    const { answer } = await arrive(email)
    for (const username of [email, 'nobody@wire.example']) {
      const { response, html } = await answer('signIn', { username, password: 'a wrong guess' })
      expect(response.status).toBe(400)
      expect(html).toContain('Incorrect username or password.')
    }
  })

  it(`too many guesses are refused (${GAPS.limits})`, async () => {
    const email = await person('gus@wire.example')
    const { answer, isIn } = await arrive(email)
    for (let i = 0; i < 5; i += 1) await answer('signIn', { username: email, password: 'a wrong guess' })
    const late = await answer('signIn', { username: email, password: PASSWORD })
    expect(late.html).toContain('Password attempts exceeded')
    expect(isIn()).toBe(false)
  })

  it(`a person who signs up can have the code sent again, and is signed in with it (${GAPS.resendCode}; ${GAPS.autoSignIn})`, async () => {
    const username = 'nina@wire.example'
    const { answer, open, isIn } = await strangerAtCognito(site, 'wire')
    await open('/login/signUp')
    await answer('signUp', { username, ...twice(PASSWORD) })
    there.wire.refuse(
      'ResendConfirmationCode',
      'LimitExceededException',
      'Attempt limit exceeded, please try after some time.',
    )
    const limited = await answer('confirmSignUp', { intent: 'resend' })
    expect(limited.response.status).toBe(429)
    expect(limited.html).toContain('Attempt limit exceeded, please try after some time.')
    there.wire.relent()
    there.wire.users.get(username)?.codes.clear()
    const late = await answer('confirmSignUp', { confirmation_code: CODE })
    expect(late.html).toContain('Invalid code provided, please request a code again.')
    expect((await answer('confirmSignUp', { intent: 'resend' })).response.status).toBe(200)
    await answer('confirmSignUp', { confirmation_code: CODE })
    expect(isIn()).toBe(true)
  })

  it('an unconfirmed person is sent a code; one who was confirmed in the meantime signs in', async () => {
    const email = await person('una@wire.example', { status: 'UNCONFIRMED' }, { email_verified: 'false' })
    const { answer } = await arrive(email)
    const page = await answer('signIn', { username: email, password: PASSWORD })
    expect(page.path).toBe('/login/confirmSignUp')
    expect(page.html).toContain('u***@w***')
    expect(there.wire.users.get(email)?.codes.get('SIGN_UP')).toBe(CODE)
    Object.assign(there.wire.users.get(email) ?? {}, { status: 'CONFIRMED' })
    expect((await answer('confirmSignUp', { intent: 'resend' })).path).toBe('/login/signIn')
  })

  it('a person whose contacts the pool cannot tell is signed in without verifying any', async () => {
    const email = await person('fay@wire.example', {}, { email_verified: 'false' })
    await there.setPool('wire', { recognise_by_email: 'any' })
    const first = await arrive(email)
    const asked = await first.answer('signIn', { username: email, password: PASSWORD })
    expect(asked.path).toBe('/login/verifyUser')
    there.wire.refuse('GetUser', 'NotAuthorizedException', 'Access Token does not have required scopes')
    const second = await arrive(email)
    await second.answer('signIn', { username: email, password: PASSWORD })
    expect(second.isIn()).toBe(true)
    there.wire.relent()
    await there.setPool('wire', { recognise_by_email: 'verified' })
  })

  it('a person is known by the address that they verify on the way in', async () => {
    const email = await person('vic@wire.example', {}, { email_verified: 'false' })
    const { answer, isIn } = await arrive(email)
    await answer('signIn', { username: email, password: PASSWORD })
    await answer('verifyUser', { unverifiedAttr: 'email' })
    await answer('confirmVerifyUser', { confirmation_code: CODE })
    expect(isIn()).toBe(true)
  })

  it('a person who skips that is told why nobody knows them', async () => {
    const email = await person('val@wire.example', {}, { email_verified: 'false' })
    const { answer, isIn } = await arrive(email)
    await answer('signIn', { username: email, password: PASSWORD })
    const { response, html } = await answer('verifyUser', { intent: 'skip' })
    expect([response.status, isIn()]).toEqual([403, false])
    expect(html).toContain('Your email address is not verified yet.')
  })

  it(`a disabled person reads “User is disabled.” (${GAPS.disabledUser})`, async () => {
    const email = await person('dan@wire.example', { enabled: false })
    const { answer, isIn } = await arrive(email)
    expect((await answer('signIn', { username: email, password: PASSWORD })).html).toContain(
      'User is disabled.',
    )
    expect(isIn()).toBe(false)
  })

  it(`a person who must choose a new password is sent a code (${GAPS.requireReset})`, async () => {
    const email = await person('rex@wire.example', { status: 'RESET_REQUIRED' })
    const { answer, isIn } = await arrive(email)
    const page = await answer('signIn', { username: email, password: PASSWORD })
    expect(page.path).toBe('/login/confirmResetPassword')
    expect(page.html).toContain('r***@w***')
    expect(page.html).not.toContain('new invitation')
    await answer('confirmResetPassword', { confirmation_code: CODE, ...twice(OTHER) })
    await answer('signIn', { username: email, password: OTHER })
    expect(isIn()).toBe(true)
  })

  it('an invited person who asks for another password is sent to their invitation', async () => {
    const email = await person('iris@wire.example', { status: 'FORCE_CHANGE_PASSWORD' })
    const { answer } = await arrive(email, '?forgotPassword=true')
    const { html } = await answer('forgotPassword', { username: email })
    expect(html).toContain('User password cannot be reset in the current state.')
    expect(html).toContain('sign in with the one from your invitation')
  })

  it(`an invited person gives what the pool requires, sets up an app, and is signed in (${GAPS.mfaSetup})`, async () => {
    const unusual = { status: 'FORCE_CHANGE_PASSWORD', mfa: 'SETUP' }
    const email = await person('ivy@wire.example', unusual, { given_name: '' })
    const { answer, open, isIn } = await arrive(email)
    const asked = await answer('signIn', { username: email, password: PASSWORD })
    expect(asked.path).toBe('/login/forceNewPassword')
    expect(asked.html).toContain('Given Name')
    expect(asked.html).not.toContain('Family Name')
    expect((await answer('forceNewPassword', { ...twice(OTHER), given_name: '' })).html).toContain(
      'This field is required',
    )
    const page = await answer('forceNewPassword', { ...twice(OTHER), given_name: 'Ivy' })
    expect(page.path).toBe('/login/setupTotp')
    expect(page.html).toMatch(/<svg[^>]*width="228"[^>]*height="228"/)
    const secretIn = (html: string) => /id="totp-secret"[^>]*>([A-Z2-7]+)</.exec(html)?.[1] ?? ''
    const secret = secretIn(page.html)
    expect(secretIn((await open('/login/setupTotp')).html)).toBe(secret)
    expect((await answer('setupTotp', { confirmation_code: '12345' })).html).toContain('Code mismatch')
    await answer('setupTotp', { confirmation_code: await generate({ secret }) })
    expect(isIn()).toBe(true)
    expect(there.wire.users.get(email)?.attributes.given_name).toBe('Ivy')

    const again = await arrive(email)
    const step = await again.answer('signIn', { username: email, password: OTHER })
    expect(step.html).toContain('Confirm TOTP Code')
    const wrong = await again.answer('confirmSignIn', { confirmation_code: '12345' })
    expect(wrong.html).toContain('Invalid code received for user')
    await again.answer('confirmSignIn', { confirmation_code: await generate({ secret }) })
    expect(again.isIn()).toBe(true)
  })

  it(`a code by text says where it was sent (${GAPS.sms})`, async () => {
    const email = await person('tom@wire.example', { mfa: 'SMS_MFA' }, { phone_number: '+15551111111' })
    const { answer, isIn } = await arrive(email)
    const page = await answer('signIn', { username: email, password: PASSWORD })
    expect(page.html).toContain('Confirm SMS Code')
    expect(page.html).toContain('texted to +*******1111')
    const wrong = await answer('confirmSignIn', { confirmation_code: '12345' })
    expect(wrong.html).toContain('Invalid code or auth state for the user.')
    expect(wrong.html).toContain('Enter the code of the latest text.')
    await answer('confirmSignIn', { confirmation_code: CODE })
    expect(isIn()).toBe(true)
  })

  it('the pool decides which screen comes first, and whether people can sign up', async () => {
    const email = await person('ida@wire.example')
    for (const [initial_screen, path] of [
      ['forgotPassword', '/login/forgotPassword'],
      ['signUp', '/login/signUp'],
      ['signIn', '/login/signIn'],
    ] as const) {
      await there.setPool('wire', { initial_screen })
      expect((await arrive(email)).page.path).toBe(path)
    }
    const { rows } = await sql<{ settings: object }>`select settings from pools where id = 'wire'`.execute(
      there.stage,
    )
    await there.setPool('wire', { sign_up: null, initial_screen: 'signUp' })
    const { page, open } = await arrive(email)
    expect(page.path).toBe('/login/signIn')
    expect(page.html).not.toContain('Create Account')
    expect((await open('/login/signUp')).path).toBe('/login/signIn')
    await there.setPool('wire', rows[0]?.settings ?? {})
  })

  it('a pool that does not answer is reported, and what was typed is kept', async () => {
    const email = await person('oda@wire.example')
    await there.setPool('wire', { api_endpoint: 'http://127.0.0.1:1' })
    const { answer } = await arrive(email)
    const { response, html } = await answer('signIn', { username: email, password: PASSWORD })
    expect(response.status).toBe(503)
    expect(html).toContain('The sign-in service does not answer right now. Please try again in a moment.')
    expect(html).toContain(`value="${email}"`)
    await there.setPool('wire', { api_endpoint: there.wire.url })
  })

  it('a step of a sign-in does not work in another browser, or after the sign-in has expired', async () => {
    const email = await person('ben@wire.example', { mfa: 'SETUP' })
    const { answer, open, visitor } = await arrive(email)
    await answer('signIn', { username: email, password: PASSWORD })
    expect((await open('/login/signIn')).path).toBe('/login/setupTotp')
    const other = await arrive(email)
    expect((await other.open('/login/setupTotp')).path).toBe('/login/signIn')
    await sql`update sign_in_attempts set expires_at = now()`.execute(there.stage)
    const over = await visitor.visit('/login/setupTotp')
    expect(over.status).toBe(410)
    expect(await over.text()).toMatch(/<a[^>]*href="\/login"[^>]*>Back to Sign In/)
    expect((await answer('setupTotp', { confirmation_code: CODE })).path).toBe('/login?expired=1')
  })
})

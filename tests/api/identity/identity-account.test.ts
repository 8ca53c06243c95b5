/** Changes that signed-in people make to their sign-in at the embedded provider. */
import { generate } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSite, POOL, type Site, Visitor } from './identity-site.ts'

const PASSWORD = 'correct horse battery staple'
let site: Site
let store: Site['store']

beforeAll(async () => {
  site = await openSite()
  store = site.store
})
afterAll(() => site?.close())
beforeEach(async () => {
  site.rules.password_policy = {}
  await store.query('truncate identity.attempts')
})

let people = 0
async function person() {
  people += 1
  const username = `owner-${people}@acme.example`
  const { sub } = await site.identity.admin.setPassword({ pool: POOL, email: username, password: PASSWORD })
  const own = { pool: POOL, sub }
  return { username, own, proof: { ...own, password: PASSWORD, ip: '10.1.2.3' } }
}

async function signIn(username: string, password = PASSWORD) {
  const visitor = new Visitor(site)
  await visitor.start()
  const answer = await visitor.answer('signIn', { username, password })
  return { answer, confirm: (code: string) => visitor.answer('confirmSignIn', { challenge_response: code }) }
}

const at = (secret: string, seconds = 0) =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + seconds })
const stepsPass = () =>
  store.query(
    'update identity.users set totp_last_step = totp_last_step - 10 where totp_last_step is not null',
  )

async function withApp() {
  const who = await person()
  const { secret } = await site.identity.accounts.setUpTOTP(who.proof)
  await site.identity.accounts.verifyTOTPSetup({ ...who.own, code: await at(secret), ip: '10.1.2.3' })
  return { ...who, secret }
}

describe('A person’s own authenticator app', () => {
  it('has another secret after the password was changed, so that nobody who knew it has seen the secret', async () => {
    const { accounts, admin } = site.identity
    const { own, proof } = await person()
    const seen = await accounts.setUpTOTP(proof)
    await accounts.updatePassword({ ...proof, new_password: 'another battery staple' })
    expect(await accounts.pendingTOTP(own)).toBeNull()
    const late = { ...own, code: await at(seen.secret), ip: '10.1.2.3' }
    await expect(accounts.verifyTOTPSetup(late)).rejects.toMatchObject({ name: 'NotAuthorizedException' })
    const next = await accounts.setUpTOTP({ ...proof, password: 'another battery staple' })
    expect(next.secret).not.toBe(seen.secret)
    await admin.requireReset(own)
    expect(await accounts.pendingTOTP(own)).toBeNull()
  })

  it('is required at sign-in only after one of its codes was accepted', async () => {
    const { username, own, proof } = await person()
    const first = await site.identity.accounts.setUpTOTP(proof)
    expect(first.uri).toContain('otpauth://totp/Liftwell:')
    expect((await signIn(username)).answer).toMatchObject({ step: 'DONE' })
    expect(await site.identity.accounts.setUpTOTP(proof)).toEqual(first)
    expect(await site.identity.accounts.pendingTOTP(own)).toEqual(first)
    const wrong = { ...own, code: '000000', ip: '10.1.2.3' }
    await expect(site.identity.accounts.verifyTOTPSetup(wrong)).rejects.toMatchObject({
      name: 'CodeMismatchException',
    })
    expect((await site.identity.accounts.fetchMFAPreference(own)).preferred).toBeNull()
    await site.identity.accounts.verifyTOTPSetup({ ...own, code: await at(first.secret), ip: '10.1.2.3' })
    expect(await site.identity.accounts.fetchMFAPreference(own)).toEqual({
      preferred: 'SOFTWARE_TOKEN_MFA',
      has_app: true,
      phone: null,
    })
    expect(await site.identity.accounts.pendingTOTP(own)).toBeNull()
    const { answer, confirm } = await signIn(username)
    expect(answer).toEqual({ step: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE' })
    // The code that set up the app cannot be used again.
    expect(await confirm(await at(first.secret))).toMatchObject({ name: 'ExpiredCodeException' })
    await stepsPass()
    expect(await confirm(await at(first.secret))).toMatchObject({ step: 'DONE' })
  })

  it('is replaced only after a code of the new app was accepted', async () => {
    const { username, own, proof, secret } = await withApp()
    const next = await site.identity.accounts.setUpTOTP(proof)
    expect(next.secret).not.toBe(secret)
    await stepsPass()
    const before = await signIn(username)
    expect(await before.confirm(await at(next.secret))).toMatchObject({ name: 'CodeMismatchException' })
    expect(await before.confirm(await at(secret))).toMatchObject({ step: 'DONE' })
    await site.identity.accounts.verifyTOTPSetup({ ...own, code: await at(next.secret), ip: '10.1.2.3' })
    await stepsPass()
    const after = await signIn(username)
    expect(await after.confirm(await at(secret))).toMatchObject({ name: 'CodeMismatchException' })
    expect(await after.confirm(await at(next.secret))).toMatchObject({ step: 'DONE' })
  })

  it('can be confirmed for 15 minutes, and its secret is not stored in plain text', async () => {
    const { own, proof } = await person()
    const { secret } = await site.identity.accounts.setUpTOTP(proof)
    const { rows } = await store.query('select * from identity.users')
    expect(JSON.stringify(rows)).not.toContain(secret)
    await store.query(`update identity.users set totp_pending_on = now() - interval '16 minutes'`)
    expect(await site.identity.accounts.pendingTOTP(own)).toBeNull()
    const late = { ...own, code: await at(secret), ip: '10.1.2.3' }
    await expect(site.identity.accounts.verifyTOTPSetup(late)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
    })
    expect((await site.identity.accounts.setUpTOTP(proof)).secret).not.toBe(secret)
  })
})

describe('The preferred second factor', () => {
  it('can be a text to a number, an authenticator app that is set up, or none', async () => {
    const { username, own, proof } = await withApp()
    const wish = (preferred: 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA' | null, phone_number?: string) =>
      site.identity.accounts.updateMFAPreference({
        ...proof,
        preferred,
        ...(phone_number && { phone_number }),
      })
    await expect(wish('SMS_MFA')).rejects.toMatchObject({ name: 'InvalidParameterException' })
    await wish('SMS_MFA', '+15551234567')
    expect(await site.identity.accounts.fetchMFAPreference(own)).toEqual({
      preferred: 'SMS_MFA',
      has_app: true,
      phone: '+15551234567',
    })
    const { answer, confirm } = await signIn(username)
    expect(answer).toMatchObject({ step: 'CONFIRM_SIGN_IN_WITH_SMS_CODE' })
    expect(await confirm(await site.codeFor('+15551234567'))).toMatchObject({ step: 'DONE' })
    await wish('SOFTWARE_TOKEN_MFA')
    expect((await signIn(username)).answer).toEqual({ step: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE' })
    await wish(null)
    expect(await site.identity.accounts.fetchMFAPreference(own)).toMatchObject({
      preferred: null,
      has_app: false,
    })
    expect((await signIn(username)).answer).toMatchObject({ step: 'DONE' })
    await expect(wish('SOFTWARE_TOKEN_MFA')).rejects.toMatchObject({ name: 'InvalidParameterException' })
  })
})

describe('Each change', () => {
  it('needs the password, and wrong guesses count towards the limit at sign-in', async () => {
    const { username, proof } = await withApp()
    const wrong = { ...proof, ip: '127.0.0.1', password: 'a guess' }
    const changes = [
      () => site.identity.accounts.setUpTOTP(wrong),
      () => site.identity.accounts.updateMFAPreference({ ...wrong, preferred: null }),
      () => site.identity.accounts.updatePassword({ ...wrong, new_password: 'words of my own' }),
    ]
    for (const change of changes)
      await expect(change()).rejects.toMatchObject({ message: 'Incorrect password.' })
    for (let i = 0; i < 2; i += 1) await expect(changes[0]?.()).rejects.toThrow()
    expect((await signIn(username)).answer).toMatchObject({ message: 'Password attempts exceeded' })
  })

  it('is refused for a disabled or unknown account', async () => {
    const { own, proof } = await person()
    await site.identity.admin.setEnabled({ ...own, enabled: false })
    await expect(site.identity.accounts.setUpTOTP(proof)).rejects.toMatchObject({
      message: 'User is disabled.',
    })
    const nobody = { ...proof, sub: '00000000-0000-4000-8000-000000000000' }
    await expect(site.identity.accounts.setUpTOTP(nobody)).rejects.toMatchObject({
      name: 'UserNotFoundException',
    })
  })
})

describe('A new password', () => {
  it('has to follow the pool’s password policy, and replaces the old password', async () => {
    site.rules.password_policy = { min_length: 12, require_numbers: true }
    const { username, proof } = await person()
    const change = (new_password: string) => site.identity.accounts.updatePassword({ ...proof, new_password })
    await expect(change('short')).rejects.toMatchObject({
      name: 'InvalidPasswordException',
      message: 'Password must have at least 12 characters. Password must have numbers',
    })
    await change('  words of my own 7  ')
    expect((await signIn(username)).answer).toMatchObject({ name: 'NotAuthorizedException' })
    expect((await signIn(username, '  words of my own 7  ')).answer).toMatchObject({ step: 'DONE' })
  })
})

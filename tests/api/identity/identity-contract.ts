/** The contract of every user pool behind our screens, whoever runs it: tested against each adapter of the port. */
import { generate } from 'otplib'
import { describe, expect, it } from 'vitest'
import type { Answer } from './identity-site.ts'

/** A browser in the middle of a sign-in. A call that ends the sign-in also completes it, except after `keep:`. */
export type Caller = {
  call(name: string, input?: object): Promise<Answer>
  /** The secret for an authenticator app. */
  secret(): Promise<string>
}

type Person = { username: string; password: string }

export type World = {
  caller(): Promise<Caller>
  /** A confirmed account. */
  person(): Promise<Person>
  invited(): Promise<{ username: string; temporary_password: string }>
  /** Somebody whose e-mail address is not verified yet. */
  unverified(): Promise<Person>
  /** Somebody whose second factor is a text; returns the number too. */
  texted(): Promise<Person & { phone: string }>
  /** Somebody who has yet to set up an authenticator app. */
  withoutApp(): Promise<Person>
  disable(username: string): Promise<void>
  requireReset(username: string): Promise<void>
  /** The code that was sent last, to an address or a number. */
  codeFor(recipient: string): Promise<string>
  /** Waits for the next half minute, since a code can be used once. */
  nextStep(username: string): Promise<void>
}

export const PASSWORD = 'Correct horse 7 battery staple'
const OTHER = 'Another horse 8 battery staple'

const other = (code: string) => (code === '000000' ? '111111' : '000000')

/** The rules that a pool cannot keep, each with its reason. */
export type Gaps = Partial<Record<Rule, string>>
export type Rule =
  | 'temporaryPassword'
  | 'passwordPolicy'
  | 'resendCode'
  | 'autoSignIn'
  | 'disabledUser'
  | 'requireReset'
  | 'mfaSetup'
  | 'sms'
  | 'spentCode'
  | 'verificationDelivery'
  | 'limits'

export function describeIdentity(name: string, open: () => World, gaps: Gaps = {}): void {
  const rule = (title: string, gap: Rule | null, test: () => Promise<void>) => {
    const excuse = gap && gaps[gap]
    if (excuse) it.skip(`${title} (there ${excuse})`, () => {})
    else it(title, test)
  }
  const signIn = async (username: string, password: string) =>
    (await open().caller()).call('signIn', { username, password })

  describe(`An identity provider: ${name}`, () => {
    rule('lets in whoever knows the password', null, async () => {
      const { username, password } = await open().person()
      expect(await signIn(username, password)).toMatchObject({ step: 'DONE' })
      expect(await signIn(username, 'Wrong horse 7 battery')).toHaveProperty('name')
      expect(await signIn('nobody@acme.example', password)).toHaveProperty('name')
    })

    rule('says the same of a wrong password and of a name that nobody has', null, async () => {
      const { username, password } = await open().person()
      for (const [who, guess] of [
        [username, 'Wrong horse 7 battery'],
        ['nobody@acme.example', password],
      ] as const)
        expect(await signIn(who, guess)).toEqual({
          name: 'NotAuthorizedException',
          message: 'Incorrect username or password.',
        })
    })

    rule('says so once it was guessed too often', 'limits', async () => {
      const { username, password } = await open().person()
      for (let i = 0; i < 5; i += 1) await signIn(username, 'Wrong horse 7 battery')
      expect(await signIn(username, password)).toEqual({
        name: 'NotAuthorizedException',
        message: 'Password attempts exceeded',
      })
    })

    rule('asks an invited person for a new password, and then takes it', null, async () => {
      const { username, temporary_password } = await open().invited()
      const caller = await open().caller()
      expect(await caller.call('signIn', { username, password: temporary_password })).toMatchObject({
        step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED',
      })
      const user_attributes = { given_name: 'Ina' }
      expect(
        await caller.call('confirmSignIn', { challenge_response: OTHER, user_attributes }),
      ).toMatchObject({ step: 'DONE' })
      expect(await signIn(username, temporary_password)).toHaveProperty('name')
      expect(await signIn(username, OTHER)).toMatchObject({ step: 'DONE' })
    })

    rule('does not ask whoever does not know the temporary one', 'temporaryPassword', async () => {
      const { username } = await open().invited()
      expect(await signIn(username, 'Wrong horse 7 battery')).toMatchObject({
        name: 'NotAuthorizedException',
      })
    })

    rule('takes no new password that is too weak', 'passwordPolicy', async () => {
      const { username, temporary_password } = await open().invited()
      const caller = await open().caller()
      await caller.call('signIn', { username, password: temporary_password })
      const weak = await caller.call('confirmSignIn', { challenge_response: 'short' })
      expect(weak).toMatchObject({ name: 'InvalidPasswordException' })
    })

    rule('replaces a forgotten password by a code', null, async () => {
      const { username, password } = await open().person()
      const caller = await open().caller()
      expect(await caller.call('resetPassword', { username, is_resend: false })).toMatchObject({
        medium: 'EMAIL',
      })
      const confirmation_code = await open().codeFor(username)
      const reset = (code: string) =>
        caller.call('confirmResetPassword', { username, confirmation_code: code, new_password: OTHER })
      expect(await reset(other(confirmation_code))).toMatchObject({ name: 'CodeMismatchException' })
      expect(await reset(confirmation_code)).toEqual({})
      expect(await signIn(username, password)).toHaveProperty('name')
      expect(await signIn(username, OTHER)).toMatchObject({ step: 'DONE' })
    })

    rule('says of a code that it was used', 'spentCode', async () => {
      const { username } = await open().person()
      const caller = await open().caller()
      await caller.call('resetPassword', { username, is_resend: false })
      const confirmation_code = await open().codeFor(username)
      const reset = (new_password: string) =>
        caller.call('confirmResetPassword', { username, confirmation_code, new_password })
      await reset(OTHER)
      expect(await reset(`${OTHER} again`)).toMatchObject({ name: 'ExpiredCodeException' })
    })

    rule('asks for a new password where an administrator wants it', 'requireReset', async () => {
      const { username, password } = await open().person()
      await open().requireReset(username)
      expect(await signIn(username, password)).toEqual({ step: 'RESET_PASSWORD' })
    })

    const wishOf = (username: string) => ({
      username,
      password: PASSWORD,
      user_attributes: { given_name: 'Nina', family_name: 'New' },
    })
    const newcomer = () => `new-${crypto.randomUUID()}@acme.example`

    rule('takes in whoever signs up, once the address is confirmed', null, async () => {
      const username = newcomer()
      const caller = await open().caller()
      expect(await caller.call('signUp', wishOf(username))).toMatchObject({
        step: 'CONFIRM_SIGN_UP',
        delivery: { medium: 'EMAIL' },
      })
      expect(await signIn(username, PASSWORD)).toEqual({ step: 'CONFIRM_SIGN_UP' })
      const confirmation_code = await open().codeFor(username)
      const wrong = { username, confirmation_code: other(confirmation_code) }
      expect(await caller.call('confirmSignUp', wrong)).toMatchObject({ name: 'CodeMismatchException' })
      const { step } = await caller.call('confirmSignUp', { username, confirmation_code })
      expect(['COMPLETE_AUTO_SIGN_IN', 'DONE']).toContain(step)
      expect(await signIn(username, PASSWORD)).toMatchObject({ step: 'DONE' })
    })

    rule('signs in whoever has just confirmed, without asking again', 'autoSignIn', async () => {
      const username = newcomer()
      const caller = await open().caller()
      await caller.call('signUp', wishOf(username))
      const confirmation_code = await open().codeFor(username)
      expect(await caller.call('confirmSignUp', { username, confirmation_code })).toMatchObject({
        step: 'COMPLETE_AUTO_SIGN_IN',
      })
      expect(await caller.call('autoSignIn')).toMatchObject({ step: 'DONE' })
    })

    rule('sends the code of a sign-up again, to whoever is not confirmed yet', 'resendCode', async () => {
      const username = newcomer()
      const caller = await open().caller()
      await caller.call('signUp', wishOf(username))
      const again = { username, is_resend: false }
      expect(await caller.call('resendSignUpCode', again)).toMatchObject({ medium: 'EMAIL' })
      const second = await open().caller()
      expect(await second.call('signIn', { username, password: PASSWORD })).toEqual({
        step: 'CONFIRM_SIGN_UP',
      })
      await caller.call('confirmSignUp', { username, confirmation_code: await open().codeFor(username) })
      expect(await second.call('resendSignUpCode', again)).toMatchObject({
        message: 'User is already confirmed.',
      })
    })

    rule('does not let the disabled in', 'disabledUser', async () => {
      const { username, password } = await open().person()
      await open().disable(username)
      expect(await signIn(username, password)).toEqual({
        name: 'NotAuthorizedException',
        message: 'User is disabled.',
      })
    })

    rule(
      'has an authenticator app set up on the way in, and asks for its codes from then on',
      'mfaSetup',
      async () => {
        const { username, password } = await open().withoutApp()
        const caller = await open().caller()
        expect(await caller.call('signIn', { username, password })).toEqual({
          step: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP',
        })
        const secret = await caller.secret()
        expect(secret).toMatch(/^[A-Z2-7]{16,}$/)
        expect(await caller.secret()).toBe(secret)
        expect(await caller.call('confirmSignIn', { challenge_response: '12345' })).toHaveProperty('name')
        const first = { challenge_response: await generate({ secret }) }
        expect(await caller.call('confirmSignIn', first)).toMatchObject({ step: 'DONE' })

        const again = await open().caller()
        expect(await again.call('signIn', { username, password })).toEqual({
          step: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE',
        })
        expect(await again.call('confirmSignIn', { challenge_response: '12345' })).toMatchObject({
          name: 'CodeMismatchException',
        })
        await open().nextStep(username)
        const next = { challenge_response: await generate({ secret }) }
        expect(await again.call('confirmSignIn', next)).toMatchObject({ step: 'DONE' })
      },
    )

    rule('asks for a code by text where that is the second factor', 'sms', async () => {
      const { username, password, phone } = await open().texted()
      const caller = await open().caller()
      const asked = await caller.call('signIn', { username, password })
      expect(asked).toMatchObject({ step: 'CONFIRM_SIGN_IN_WITH_SMS_CODE', delivery: { medium: 'SMS' } })
      const challenge_response = await open().codeFor(phone)
      const wrong = { challenge_response: other(challenge_response) }
      expect(await caller.call('confirmSignIn', wrong)).toMatchObject({ name: 'CodeMismatchException' })
      expect(await caller.call('confirmSignIn', { challenge_response })).toMatchObject({ step: 'DONE' })
    })

    rule('says who somebody is, and verifies a contact', null, async () => {
      const { username, password } = await open().unverified()
      const caller = await open().caller()
      await caller.call('keep:signIn', { username, password })
      const before = (await caller.call('fetchUserAttributes')) as Record<string, string>
      expect(before.email).toBe(username)
      expect(before.email_verified).not.toBe('true')
      await caller.call('sendUserAttributeVerificationCode', { key: 'email', is_resend: false })
      const confirmation_code = await open().codeFor(username)
      const confirm = (code: string) =>
        caller.call('confirmUserAttribute', { key: 'email', confirmation_code: code })
      expect(await confirm(other(confirmation_code))).toMatchObject({ name: 'CodeMismatchException' })
      expect(await confirm(confirmation_code)).toEqual({})
      expect(await caller.call('fetchUserAttributes')).toMatchObject({ email_verified: 'true' })
    })

    rule('says where the code for a contact went', 'verificationDelivery', async () => {
      const caller = await open().caller()
      await caller.call('keep:signIn', await open().unverified())
      const asked = { key: 'email', is_resend: false }
      expect(await caller.call('sendUserAttributeVerificationCode', asked)).toMatchObject({ medium: 'EMAIL' })
    })

    rule('refuses a step that is not due, and one that was given up', null, async () => {
      const caller = await open().caller()
      const answer = { challenge_response: '123456' }
      expect(await caller.call('confirmSignIn', answer)).toMatchObject({ name: 'NotAuthorizedException' })
      expect(await caller.call('autoSignIn')).toHaveProperty('name')
      expect(await caller.call('fetchUserAttributes')).toHaveProperty('name')
      const { username, temporary_password } = await open().invited()
      await caller.call('signIn', { username, password: temporary_password })
      await caller.call('cancel')
      expect(await caller.call('confirmSignIn', answer)).toMatchObject({ name: 'NotAuthorizedException' })
    })
  })
}

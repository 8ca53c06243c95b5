/** The contract of a user pool behind our sign-in screens, tested against each adapter of the identity port. */
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
  /** A person whose e-mail address is not verified yet. */
  unverified(): Promise<Person>
  /** A person whose second factor is a text, with the phone number. */
  texted(): Promise<Person & { phone: string }>
  /** A person who has yet to set up an authenticator app. */
  withoutApp(): Promise<Person>
  disable(username: string): Promise<void>
  requireReset(username: string): Promise<void>
  /** The latest code that was sent to an e-mail address or phone number. */
  codeFor(recipient: string): Promise<string>
  /** Makes the next code of the authenticator app usable, since each code works once. */
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
    if (excuse) it.skip(`${title} (skipped: ${excuse})`, () => {})
    else it(title, test)
  }
  const signIn = async (username: string, password: string) =>
    (await open().caller()).call('signIn', { username, password })

  describe(`An identity provider: ${name}`, () => {
    rule('signs in a person with the right password only', null, async () => {
      const { username, password } = await open().person()
      expect(await signIn(username, password)).toMatchObject({ step: 'DONE' })
      expect(await signIn(username, 'Wrong horse 7 battery')).toHaveProperty('name')
      expect(await signIn('nobody@acme.example', password)).toHaveProperty('name')
    })

    rule('gives the same answer for a wrong password and for an unknown username', null, async () => {
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

    rule('refuses even the right password after five wrong ones', 'limits', async () => {
      const { username, password } = await open().person()
      for (let i = 0; i < 5; i += 1) await signIn(username, 'Wrong horse 7 battery')
      expect(await signIn(username, password)).toEqual({
        name: 'NotAuthorizedException',
        message: 'Password attempts exceeded',
      })
    })

    rule('asks an invited person for a new password, which replaces the temporary one', null, async () => {
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

    rule('refuses an invited person with a wrong temporary password', 'temporaryPassword', async () => {
      const { username } = await open().invited()
      expect(await signIn(username, 'Wrong horse 7 battery')).toMatchObject({
        name: 'NotAuthorizedException',
      })
    })

    rule('refuses a new password that is too weak', 'passwordPolicy', async () => {
      const { username, temporary_password } = await open().invited()
      const caller = await open().caller()
      await caller.call('signIn', { username, password: temporary_password })
      const weak = await caller.call('confirmSignIn', { challenge_response: 'short' })
      expect(weak).toMatchObject({ name: 'InvalidPasswordException' })
    })

    rule('lets a person replace a forgotten password with a code', null, async () => {
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

    rule('reports a used code as expired', 'spentCode', async () => {
      const { username } = await open().person()
      const caller = await open().caller()
      await caller.call('resetPassword', { username, is_resend: false })
      const confirmation_code = await open().codeFor(username)
      const reset = (new_password: string) =>
        caller.call('confirmResetPassword', { username, confirmation_code, new_password })
      await reset(OTHER)
      expect(await reset(`${OTHER} again`)).toMatchObject({ name: 'ExpiredCodeException' })
    })

    rule('asks for a new password after an administrator required one', 'requireReset', async () => {
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

    rule('signs in a new person only after they have confirmed their e-mail address', null, async () => {
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

    rule(
      'signs in a person who has just confirmed a sign-up, without the password',
      'autoSignIn',
      async () => {
        const username = newcomer()
        const caller = await open().caller()
        await caller.call('signUp', wishOf(username))
        const confirmation_code = await open().codeFor(username)
        expect(await caller.call('confirmSignUp', { username, confirmation_code })).toMatchObject({
          step: 'COMPLETE_AUTO_SIGN_IN',
        })
        expect(await caller.call('autoSignIn')).toMatchObject({ step: 'DONE' })
      },
    )

    rule('sends the code of a sign-up again until the person is confirmed', 'resendCode', async () => {
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

    rule('refuses a disabled person', 'disabledUser', async () => {
      const { username, password } = await open().person()
      await open().disable(username)
      expect(await signIn(username, password)).toEqual({
        name: 'NotAuthorizedException',
        message: 'User is disabled.',
      })
    })

    rule(
      'requires an authenticator app to be set up during the sign-in, and then asks for its codes',
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

    rule('asks for a code by text if that is the second factor', 'sms', async () => {
      const { username, password, phone } = await open().texted()
      const caller = await open().caller()
      const asked = await caller.call('signIn', { username, password })
      expect(asked).toMatchObject({ step: 'CONFIRM_SIGN_IN_WITH_SMS_CODE', delivery: { medium: 'SMS' } })
      const challenge_response = await open().codeFor(phone)
      const wrong = { challenge_response: other(challenge_response) }
      expect(await caller.call('confirmSignIn', wrong)).toMatchObject({ name: 'CodeMismatchException' })
      expect(await caller.call('confirmSignIn', { challenge_response })).toMatchObject({ step: 'DONE' })
    })

    rule('returns a person’s attributes, and verifies their e-mail address with a code', null, async () => {
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

    rule('says how the code for an e-mail address was sent', 'verificationDelivery', async () => {
      const caller = await open().caller()
      await caller.call('keep:signIn', await open().unverified())
      const asked = { key: 'email', is_resend: false }
      expect(await caller.call('sendUserAttributeVerificationCode', asked)).toMatchObject({ medium: 'EMAIL' })
    })

    rule('refuses a step that is not due, and one that was canceled', null, async () => {
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

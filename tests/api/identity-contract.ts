/** What every user pool behind our screens must do, whoever keeps it: run against each adapter of the port. */
import { describe, expect, it } from 'vitest'
import type { Answer } from './identity-site.ts'

/** A browser in the middle of a sign-in, and the calls of the port it makes. */
export type Caller = { call(name: string, input?: object): Promise<Answer> }

export type World = {
  caller(): Promise<Caller>
  /** A confirmed account. */
  person(): Promise<{ username: string; password: string }>
  invited(): Promise<{ username: string; temporary_password: string }>
  /** The code that was sent last. */
  codeFor(username: string): Promise<string>
}

export const PASSWORD = 'Correct horse 7 battery staple'
const OTHER = 'Another horse 8 battery staple'

export function describeIdentity(name: string, open: () => World): void {
  describe(`An identity provider: ${name}`, () => {
    const signIn = async (username: string, password: string) =>
      (await open().caller()).call('signIn', { username, password })

    it('lets in whoever knows the password, and nobody else', async () => {
      const { username, password } = await open().person()
      expect(await signIn(username, password)).toMatchObject({ step: 'DONE' })
      for (const [who, guess] of [
        [username, 'Wrong horse 7 battery'],
        ['nobody@acme.example', password],
      ] as const)
        expect(await signIn(who, guess)).toEqual({
          name: 'NotAuthorizedException',
          message: 'Incorrect username or password.',
        })
    })

    it('asks an invited person for a new password, and then takes it', async () => {
      const { username, temporary_password } = await open().invited()
      const caller = await open().caller()
      expect(await caller.call('signIn', { username, password: temporary_password })).toMatchObject({
        step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED',
      })
      expect(await caller.call('confirmSignIn', { challenge_response: 'short' })).toMatchObject({
        name: 'InvalidPasswordException',
      })
      expect(await caller.call('confirmSignIn', { challenge_response: OTHER })).toMatchObject({
        step: 'DONE',
      })
      expect(await signIn(username, temporary_password)).toMatchObject({ name: 'NotAuthorizedException' })
      expect(await signIn(username, OTHER)).toMatchObject({ step: 'DONE' })
    })

    it('replaces a forgotten password by a code', async () => {
      const { username, password } = await open().person()
      const caller = await open().caller()
      expect(await caller.call('resetPassword', { username, is_resend: false })).toMatchObject({
        medium: 'EMAIL',
      })
      const confirmation_code = await open().codeFor(username)
      const wrong = confirmation_code === '000000' ? '111111' : '000000'
      const reset = (code: string) =>
        caller.call('confirmResetPassword', { username, confirmation_code: code, new_password: OTHER })
      expect(await reset(wrong)).toMatchObject({ name: 'CodeMismatchException' })
      expect(await reset(confirmation_code)).toEqual({})
      expect(await reset(confirmation_code)).toMatchObject({ name: 'ExpiredCodeException' })
      expect(await signIn(username, password)).toMatchObject({ name: 'NotAuthorizedException' })
      expect(await signIn(username, OTHER)).toMatchObject({ step: 'DONE' })
    })

    it('takes in whoever signs up, once the address is confirmed', async () => {
      const username = `new-${crypto.randomUUID()}@acme.example`
      const caller = await open().caller()
      const wish = {
        username,
        password: PASSWORD,
        user_attributes: { given_name: 'Nina', family_name: 'New' },
      }
      expect(await caller.call('signUp', wish)).toMatchObject({
        step: 'CONFIRM_SIGN_UP',
        delivery: { medium: 'EMAIL' },
      })
      expect(await signIn(username, PASSWORD)).toEqual({ step: 'CONFIRM_SIGN_UP' })
      const confirmation_code = await open().codeFor(username)
      expect(await caller.call('confirmSignUp', { username, confirmation_code })).toMatchObject({
        step: 'COMPLETE_AUTO_SIGN_IN',
      })
      expect(await caller.call('autoSignIn')).toMatchObject({ step: 'DONE' })
      expect(await signIn(username, PASSWORD)).toMatchObject({ step: 'DONE' })
    })

    it('refuses a step that is not due', async () => {
      const caller = await open().caller()
      expect(await caller.call('confirmSignIn', { challenge_response: '123456' })).toMatchObject({
        name: 'NotAuthorizedException',
      })
      expect(await caller.call('autoSignIn')).toHaveProperty('name')
      expect(await caller.call('fetchUserAttributes')).toHaveProperty('name')
    })
  })
}

import { mailOf } from '../letter.ts'

/** What a person is told by mail when the way they sign in has changed. */
export const NOTICES = {
  second_factor_changed: [
    'Your second factor was changed',
    'From now on signing in asks for another second factor.',
  ],
  second_factor_removed: ['Your second factor was removed', 'From now on your password alone signs you in.'],
  password_changed: [
    'Your password was changed',
    'You were logged out everywhere; sign in with the new password.',
  ],
  second_factor_taken: [
    'Your second factor was taken away',
    'An administrator took it away and logged you out everywhere. Set up another one once you have signed in.',
  ],
  password_reset_required: [
    'A new password is due',
    'An administrator asks you for a new password and logged you out everywhere. At the next sign-in a code is sent to you.',
  ],
} as const satisfies Record<string, readonly [subject: string, text: string]>

export type Notice = keyof typeof NOTICES
export const isNotice = (word: string): word is Notice => Object.hasOwn(NOTICES, word)

export function noticeMail(what: Notice, login: string) {
  const [subject, words] = NOTICES[what]
  return mailOf(subject, {
    words: `${words}\n\nIf this was not you, tell your administrator at once.`,
    button: { label: 'Sign in', url: login },
    why: 'You get this e-mail because it is about the security of your account. It cannot be turned off.',
  })
}

export const formerAddressMail = () =>
  mailOf('Your e-mail address was changed', {
    words:
      'You sign in to Liftwell with another e-mail address from now on. If this was not you, tell your administrator at once.',
    why: 'You get this e-mail because this address was that of your account until now.',
  })

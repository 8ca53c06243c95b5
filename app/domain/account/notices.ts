import { mailOf } from '../text/letter.ts'

/** What a person is told by mail when the way they sign in has changed. */
export const NOTICES = {
  second_factor_changed: [
    'Your second factor was set up',
    'From now on it is asked for after your password.',
  ],
  second_factor_removed: [
    'Your second factor was removed',
    'From now on you sign in with your password alone.',
  ],
  password_changed: [
    'Your password was changed',
    'You were logged out everywhere; sign in with the new password.',
  ],
  second_factor_taken: [
    'An administrator removed your second factor',
    'An administrator removed it and logged you out everywhere. Sign in and set up another one.',
  ],
  password_reset_required: [
    'You need a new password',
    'An administrator logged you out everywhere and requires you to choose a new password. You’ll get a code at your next sign-in.',
  ],
} as const satisfies Record<string, readonly [subject: string, text: string]>

export type Notice = keyof typeof NOTICES
export const isNotice = (word: string): word is Notice => Object.hasOwn(NOTICES, word)

export function noticeMail(what: Notice, login: string) {
  const [subject, words] = NOTICES[what]
  return mailOf(subject, {
    words: `${words}\n\nIf you didn’t expect this, tell your administrator right away.`,
    button: { label: 'Sign in', url: login },
    why: 'You’re getting this e-mail because it is about the security of your account. It cannot be turned off.',
  })
}

export const formerAddressMail = () =>
  mailOf('Your e-mail address was changed', {
    words:
      'You sign in to Liftwell with another e-mail address from now on. If you didn’t expect this, tell your administrator right away.',
    why: 'You’re getting this e-mail because this address was that of your account until now.',
  })

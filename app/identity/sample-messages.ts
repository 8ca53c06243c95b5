/** A sample of every message of the provider, for the page that shows all messages. */
import {
  contactCode,
  freshInvitation,
  type Letter,
  type Message,
  nameTaken,
  resetCode,
  signInCode,
  signUpCode,
} from './messages.ts'

type Sample = { id: string; title: string; when: string; channel: Message['channel'] } & Letter
const NAME = 'Liftwell'
const CODE = '123456'

export const sampleMessages = (origin: string): Sample[] => [
  {
    ...mail('sign-up-code', 'Code to sign up', 'Someone creates an account.'),
    ...signUpCode(NAME, CODE),
  },
  { ...mail('reset-code', 'Code for a new password', 'Somebody forgot theirs.'), ...resetCode(NAME, CODE) },
  {
    ...mail('verify-code', 'Code to verify an e-mail', 'An address is verified after signing in.'),
    ...contactCode(NAME, CODE),
  },
  {
    ...mail('invitation-again', 'New invitation', 'Somebody who never signed in forgot their password.'),
    ...freshInvitation(
      NAME,
      { username: 'alex@example.com' },
      `${origin}/invitation/default/example`,
      'Monday, November 23, 2026 at 9:00 AM (UTC)',
    ),
  },
  {
    ...mail('name-taken', 'Account exists', 'Somebody signs up with an address that has an account.'),
    ...nameTaken(NAME, `${origin}/login`),
  },
  {
    ...text('sign-in-code', 'Sign-in code', 'Somebody signs in whose second factor is a text.'),
    ...signInCode(NAME, CODE),
  },
  {
    ...text('verify-code-text', 'Code to verify a number', 'A number is verified after signing in.'),
    ...contactCode(NAME, CODE),
  },
]

const mail = (id: string, title: string, when: string) => ({ id, title, when, channel: 'email' as const })
const text = (id: string, title: string, when: string) => ({ id, title, when, channel: 'sms' as const })

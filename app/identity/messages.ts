/** The texts of the provider's messages, and how they are delivered. */
import type { User } from './users.server.ts'

/** A mail or a text to send; `key` identifies it. */
export type Message = {
  pool: string
  sub: string
  channel: 'email' | 'sms'
  recipient: string
  subject: string
  body: string
  button?: Button
  note?: string
  key: string
}

export type Delivery = { destination: string; medium: 'EMAIL' | 'SMS'; attribute_name: string }

type Button = { label: string; url: string }
export type Letter = { subject: string; body: string; button?: Button; note?: string }

const letter = (subject: string, ...lines: string[]): Letter => ({ subject, body: lines.join('\n\n') })

const IGNORE = 'If you did not ask for it, you can ignore this message: without the code nothing happens.'

export const signUpCode = (name: string, code: string) =>
  letter(
    `Your ${name} code`,
    `Your code to confirm your account is ${code}. It is valid for 24 hours.`,
    IGNORE,
  )

export const resetCode = (name: string, code: string) =>
  letter(
    `Reset your ${name} password`,
    `Your code to choose a new password is ${code}. It is valid for an hour.`,
    IGNORE,
  )

export const contactCode = (name: string, code: string) =>
  letter(`Confirm your contact for ${name}`, `Your code is ${code}. It is valid for 24 hours.`, IGNORE)

export const signInCode = (name: string, code: string) =>
  letter('', `${code} is your ${name} sign-in code. It is valid for 3 minutes. Do not share it.`)

export const freshInvitation = (
  name: string,
  { username }: Pick<User, 'username'>,
  link: string,
  until: string,
) => ({
  ...letter(
    `Your new invitation to ${name}`,
    'You have not chosen a password yet, so there is none to reset. Here is a new link to choose one. The old link no longer works.',
    `Your e-mail: ${username}`,
  ),
  button: { label: 'Choose your password', url: link },
  note: `The link works once, until ${until}.`,
})

export const nameTaken = (name: string, address: string) => ({
  ...letter(
    `You have a ${name} account`,
    'Someone, perhaps you, tried to sign up with this address. It already has an account.',
    'If you do not know its password, choose "Forgot your password?" there.',
  ),
  button: { label: 'Sign in', url: address },
})

/** Masks an address: `t**t@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  if (at < 0) return `${email.slice(0, 1)}**`
  const name = [...email.slice(0, at)]
  const shown = name.length < 3 ? `${name[0] ?? ''}*` : `${name[0]}**${name.at(-1)}`
  return `${shown}${email.slice(at)}`
}

/** Masks a number: `********1111`. */
export const maskPhone = (number: string): string => `********${number.slice(-4)}`

export const byEmail = (address: string): Delivery => ({
  destination: maskEmail(address),
  medium: 'EMAIL',
  attribute_name: 'email',
})

export const bySms = (number: string): Delivery => ({
  destination: maskPhone(number),
  medium: 'SMS',
  attribute_name: 'phone_number',
})

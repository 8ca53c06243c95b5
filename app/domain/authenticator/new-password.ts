/** Forms in which a new password is typed twice, checked by the password policy of the pool. */
import { z } from 'zod'
import { REQUIRED } from '#app/domain/text/text.ts'
import { attributeShape, isPhone, joinPhone } from './attributes.ts'
import { ConfirmationCode, EmailUsername } from './credentials.ts'

export type PasswordPolicy = {
  min_length: number
  require_lowercase: boolean
  require_uppercase: boolean
  require_numbers: boolean
  require_special_characters: boolean
}

const MUST_MATCH = 'Your passwords must match'
/** The attributes are known only at run time. */
type None = Record<never, z.ZodType>
const INVALID_PHONE = 'Please enter a valid phone number'

/** The names of fields that a visitor has left so far; after a submit, all of them. */
type Left = ReadonlySet<string>

function typedTwice<More extends z.core.$ZodLooseShape>(policy: PasswordPolicy, more: More, left?: Left) {
  const wereLeft = () => !left || (left.has('password') && left.has('confirm_password'))
  return z
    .object({
      ...more,
      password: z.string({ error: REQUIRED }).superRefine((password, context) => {
        for (const message of passwordProblems(policy, password))
          context.addIssue({ code: 'custom', message })
      }),
      confirm_password: z.string({ error: REQUIRED }),
    })
    .refine((typed) => areSame(typed, wereLeft()), {
      path: ['confirm_password'],
      error: MUST_MATCH,
      when: always,
    })
    .refine(hasPhone, { path: ['phone_number'], error: INVALID_PHONE, when: always })
}

/** Runs the check even if other fields are missing, so that all errors are reported together. */
const always = () => true

const areSame = ({ password, confirm_password }: Record<string, unknown>, wereLeft: boolean): boolean =>
  !mustMatch(textOf(password), textOf(confirm_password), wereLeft)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** An empty number or country has its own error already. */
function hasPhone({ country_code, phone_number }: Record<string, unknown>): boolean {
  if (textOf(country_code) === '' || textOf(phone_number) === '') return true
  return isPhone(joinPhone(textOf(country_code), textOf(phone_number)))
}

/** The form that replaces a temporary password, with the attributes that the provider requires. */
export const newPasswordOf = (policy: PasswordPolicy, asked: readonly string[] = [], left?: Left) =>
  typedTwice(policy, attributeShape(asked) as None, left)

export const signUpOf = (policy: PasswordPolicy, asked: readonly string[], left?: Left) =>
  typedTwice(policy, { username: EmailUsername, ...(attributeShape(asked) as None) }, left)

export const resetOf = (policy: PasswordPolicy, left?: Left) =>
  typedTwice(policy, { confirmation_code: ConfirmationCode }, left)

/** Compared only once both fields were left or have six characters; two empty fields are not an error. */
export function mustMatch(password: string, confirm_password: string, wereLeft: boolean): boolean {
  if (password === confirm_password) return false
  return wereLeft || (password.length >= 6 && confirm_password.length >= 6)
}

export function passwordProblems(policy: PasswordPolicy, password: string): string[] {
  const rules: [boolean, string][] = [
    [password.length < policy.min_length, `Password must have at least ${policy.min_length} characters`],
    [policy.require_lowercase && !/\p{Ll}/u.test(password), 'Password must have lower case letters'],
    [policy.require_uppercase && !/\p{Lu}/u.test(password), 'Password must have upper case letters'],
    [policy.require_numbers && !/\p{Nd}/u.test(password), 'Password must have numbers'],
    [
      policy.require_special_characters && !/[^\p{L}\p{Nd}]/u.test(password),
      'Password must have special characters',
    ],
  ]
  return rules.filter(([isBroken]) => isBroken).map(([, text]) => text)
}

/** The password policy in one line, to be read before typing. */
export function describePolicy(policy: PasswordPolicy): string {
  const asked = [
    policy.require_lowercase && 'lower case letters',
    policy.require_uppercase && 'upper case letters',
    policy.require_numbers && 'numbers',
    policy.require_special_characters && 'special characters',
  ].filter((kind) => kind !== false)
  const kinds = asked.length > 0 ? `, with ${new Intl.ListFormat('en').format(asked)}` : ''
  return `At least ${policy.min_length} characters${kinds}.`
}

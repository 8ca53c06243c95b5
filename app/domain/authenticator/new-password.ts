/** What a new password must be like, as the pool that it is for says. */
import { z } from 'zod'

export type PasswordPolicy = {
  min_length: number
  require_lowercase: boolean
  require_uppercase: boolean
  require_numbers: boolean
  require_special_characters: boolean
}

const REQUIRED = 'This field is required'

/** A new password typed twice. */
export function newPasswordOf(policy: PasswordPolicy) {
  return z
    .object({
      password: z.string({ error: REQUIRED }).superRefine((password, context) => {
        for (const message of passwordProblems(policy, password))
          context.addIssue({ code: 'custom', message })
      }),
      confirm_password: z.string({ error: REQUIRED }),
    })
    .refine(({ password, confirm_password }) => password === confirm_password, {
      path: ['confirm_password'],
      error: 'Your passwords must match',
    })
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

/** What to know before typing, in one line. */
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

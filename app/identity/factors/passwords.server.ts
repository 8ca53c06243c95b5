/** Password hashing, a few at a time, and the rules for new passwords. */
import { hash, type Options, verify } from '@node-rs/argon2'
import PQueue from 'p-queue'
import { IdentityError, limitExceeded } from '#app/identity/errors.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

export type PasswordPolicy = {
  min_length: number
  require_lowercase: boolean
  require_uppercase: boolean
  require_numbers: boolean
  require_special_characters: boolean
}

export const DEFAULT_POLICY: PasswordPolicy = {
  min_length: 8,
  require_lowercase: false,
  require_uppercase: false,
  require_numbers: false,
  require_special_characters: false,
}

const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const LONGEST = 256
const AT_ONCE = 2
/** Beyond this queue length requests are refused. */
const MAX_WAITING = 200

export type Passwords = {
  hash(password: string): Promise<string>
  /** Takes the same time with and without a stored hash. */
  matches(password: string, stored: string | null): Promise<boolean>
}

export async function createPasswords(cost: Options = ARGON2ID): Promise<Passwords> {
  const queue = new PQueue({ concurrency: AT_ONCE })
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (queue.size >= MAX_WAITING) throw limitExceeded()
    return queue.add(work)
  }
  const nobodys = await hash('the password of nobody', cost)

  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    async matches(password, stored) {
      const same = await inTurn(() => verify(stored ?? nobodys, password))
      return same && stored !== null
    },
  }
}

export const isTooLong = (password: string) => password.length > LONGEST

/** Throws with every rule that the new password breaks. */
export function requirePolicy(policy: PasswordPolicy, password: string, username: string): void {
  const rules: [boolean, string][] = [
    [password.length < policy.min_length, `Password must have at least ${policy.min_length} characters`],
    [isTooLong(password), `Password must have at most ${LONGEST} characters`],
    [policy.require_lowercase && !/\p{Ll}/u.test(password), 'Password must have lower case letters'],
    [policy.require_uppercase && !/\p{Lu}/u.test(password), 'Password must have upper case letters'],
    [policy.require_numbers && !/\p{Nd}/u.test(password), 'Password must have numbers'],
    [
      policy.require_special_characters && !/[^\p{L}\p{Nd}]/u.test(password),
      'Password must have special characters',
    ],
    [isGuessable(password, username), 'Password is too easy to guess'],
  ]
  const broken = rules.filter(([isBroken]) => isBroken).map(([, text]) => text)
  if (broken.length > 0) throw new IdentityError('InvalidPasswordException', broken.join('. '))
}

function isGuessable(password: string, username: string): boolean {
  const plain = password.trim().toLowerCase()
  return COMMON_PASSWORDS.has(plain) || plain === username || plain === username.split('@')[0]
}

/** What somebody answers to what a sign-in asks for. */
import { asWords, missingOf, requireAllowed } from './attributes.ts'
import type { Doorkeeper, Visit } from './door.ts'
import { disabled, IdentityError, sessionExpired, tokenMismatch } from './errors.ts'
import { requirePolicy } from './factors/passwords.server.ts'
import type { Challenge } from './interactions.server.ts'
import { afterPassword, done, hasFactor, hasLapsed, type Progressed } from './sign-in.server.ts'
import { confirmWithPassword, type User } from './users.server.ts'

type Response = { challenge_response: string; user_attributes?: Record<string, string> | undefined }

export async function answerChallenge(
  door: Doorkeeper,
  visit: Visit,
  { user, challenge }: { user: User; challenge: Challenge },
  { challenge_response: response, user_attributes = {} }: Response,
): Promise<Progressed> {
  if (!user.enabled) throw disabled()
  const { pool_id, username, sub } = user
  switch (challenge.step) {
    case 'NEW_PASSWORD':
      await chooseFirstPassword(door, visit, user, response, user_attributes)
      return afterPassword(door, visit, user)
    case 'SMS_CODE': {
      const attempt = await door.attempts.begin({ pool_id, username, ip: visit.ip, kind: 'factor' })
      await door.codes.spend({ pool_id, username, purpose: 'sms', code: response })
      await attempt.forgive()
      return done(sub, ['pwd', 'sms', 'mfa'])
    }
    case 'TOTP_CODE':
    case 'TOTP_SETUP': {
      const attempt = await door.attempts.begin({ pool_id, username, ip: visit.ip, kind: 'factor' })
      if (challenge.step === 'TOTP_CODE') await door.totp.spend(user, response)
      else if (hasFactor(user)) throw sessionExpired()
      else await door.totp.replace(user, response, tokenMismatch)
      await attempt.forgive()
      return done(sub, ['pwd', 'otp', 'mfa'])
    }
    default:
      throw sessionExpired()
  }
}

/** Gives an invited account the password of its owner's choice, and what the pool wants to know of them. */
async function chooseFirstPassword(
  { database, passwords, house }: Doorkeeper,
  { rules }: Visit,
  user: User,
  password: string,
  said: Record<string, string>,
): Promise<void> {
  const missing = missingOf(user.attributes, rules.screens.required_attributes)
  const asked = Object.fromEntries(Object.entries(said).filter(([name]) => missing.includes(name)))
  const attributes = requireAllowed(asked, missing)
  requirePolicy(rules.password_policy, password, user.username)
  if (await passwords.matches(password, user.password_hash))
    throw new IdentityError('InvalidPasswordException', 'Choose a password other than the temporary one')
  const password_hash = await passwords.hash(password)
  if (hasLapsed(user) || !(await confirmWithPassword(database, user, password_hash, attributes)))
    throw sessionExpired()
  if (missing.length > 0)
    await house.takeNames({ pool: user.pool_id, sub: user.sub, attributes: asWords(attributes) })
}

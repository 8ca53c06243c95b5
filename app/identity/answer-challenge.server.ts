/** Handles a person's answers to the challenges of a sign-in. */
import type { PoolClient } from 'pg'
import { asWords, missingOf, requireAllowed } from './attributes.ts'
import type { Doorkeeper, Visit } from './door.ts'
import { disabled, IdentityError, sessionExpired, tokenMismatch } from './errors.ts'
import { isTooLong, requirePolicy } from './factors/passwords.server.ts'
import type { Challenge } from './interactions.server.ts'
import { afterPassword, done, hasFactor, hasLapsed, type Progressed, type Proved } from './sign-in.server.ts'
import { inTransaction } from './transaction.server.ts'
import { confirmWithPassword, findBySub, type User } from './users.server.ts'

/** Stores what was proved in the same transaction as the code that proved it. */
type Keep = (on: PoolClient, proved: Challenge) => Promise<void>

type Response = { challenge_response: string; user_attributes?: Record<string, string> | undefined }

type Known = { user: User; challenge: Challenge }

export async function answerChallenge(
  door: Doorkeeper,
  visit: Visit,
  { user, challenge }: Known,
  { challenge_response: response, user_attributes = {} }: Response,
  keep: Keep,
): Promise<Progressed> {
  if (!user.enabled) throw disabled()
  const { pool_id, username, sub } = user
  switch (challenge.step) {
    case 'NEW_PASSWORD':
      await chooseFirstPassword(door, visit, user, response, user_attributes)
      return afterPassword(door, visit, user)
    case 'SMS_CODE':
      return proveFactor(door, visit, user, keep, {
        reached: done(sub, ['pwd', 'sms', 'mfa']),
        spend: (on) => door.codes.spend({ pool_id, username, purpose: 'sms', code: response }, on),
      })
    case 'TOTP_CODE':
    case 'TOTP_SETUP':
      return proveFactor(door, visit, user, keep, {
        reached: done(sub, ['pwd', 'otp', 'mfa']),
        spend(on) {
          if (challenge.step === 'TOTP_CODE') return door.totp.spend(user, response, on)
          if (hasFactor(user)) throw sessionExpired()
          return door.totp.replace(user, response, tokenMismatch, on)
        },
      })
    default:
      throw sessionExpired()
  }
}

type Factor = { reached: Proved; spend(on: PoolClient): Promise<void> }

/** When a form is sent twice, the second request waits until the first has used the code and stored what it proved. */
async function proveFactor(
  { attempts, database }: Doorkeeper,
  { ip }: Visit,
  { pool_id, username }: User,
  keep: Keep,
  { reached, spend }: Factor,
): Promise<Proved> {
  const attempt = await attempts.begin({ pool_id, username, ip, kind: 'factor' })
  await inTransaction(database, async (on) => {
    await spend(on)
    await keep(on, reached.challenge)
  })
  await attempt.forgive()
  return reached
}

/** For a form sent twice: what the other request has reached by `now`. Null if this is no repetition. */
export async function answeredBefore(
  door: Doorkeeper,
  visit: Visit,
  { user: { pool_id, sub, username }, challenge }: Known,
  { challenge_response: password }: Response,
  now: Challenge | null,
): Promise<Progressed | null> {
  if (now?.step === 'DONE' && now.amr.includes('mfa')) return done(sub, now.amr)
  if (challenge.step !== 'NEW_PASSWORD' && challenge.step !== 'DONE') return null
  const user = await findBySub(door.database, pool_id, sub)
  if (!user?.enabled || user.status !== 'CONFIRMED' || isTooLong(password)) return null
  const attempt = await door.attempts.begin({ pool_id, username, ip: visit.ip })
  if (!(await door.passwords.matches(password, user.password_hash))) return null
  await attempt.forgive()
  return afterPassword(door, visit, user)
}

/** Gives an invited account the password its owner chose, and the attributes the pool requires. */
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

/** Accounts that people make by themselves. Whether a name is taken is said in a mail to its owner only. */
import { asWords, requireAllowed } from './attributes.ts'
import type { Doorkeeper, Visit } from './door.ts'
import { IdentityError, invalid, notReady, sessionExpired, usernameExists } from './errors.ts'
import type { Challenge } from './interactions.server.ts'
import { byEmail, type Delivery, nameTaken, signUpCode } from './messages.ts'
import { requirePolicy } from './passwords.server.ts'
import { afterPassword, type Progressed } from './sign-in.server.ts'
import {
  confirmSignedUp,
  findByUsername,
  insertAccount,
  markAdmitted,
  toUsername,
  type User,
} from './users.server.ts'

type Wish = { username: string; password: string; user_attributes: Record<string, string> }

export async function signUp(door: Doorkeeper, visit: Visit, wish: Wish) {
  const { pool, rules, ip } = visit
  const username = toUsername(wish.username)
  if (!rules.screens.sign_up)
    throw new IdentityError('NotAuthorizedException', 'SignUp is not permitted for this user pool')
  if (username.length > 254 || !/^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u.test(username))
    throw invalid('Username should be an email.')
  const attributes = requireAllowed(wish.user_attributes, rules.screens.required_attributes)
  requirePolicy(rules.password_policy, wish.password, username)
  await door.attempts.countSend(ip)

  const sub = await insertAccount(door.database, pool.id, username, {
    password_hash: await door.passwords.hash(wish.password),
    status: 'UNCONFIRMED',
    temporary_until: null,
    attributes: { ...attributes, email: username, email_verified: false },
    awaits_admission: true,
  })
  if (!sub && rules.reveals_users) throw usernameExists()
  const delivery = await sendSignUpCode(door, visit, username, { sub: sub ?? null, is_resend: false })
  const challenge: Challenge = { step: 'SIGNED_UP', sub: sub ?? null, amr: ['pwd'] }
  return { next: { step: 'CONFIRM_SIGN_UP' as const, delivery }, challenge }
}

/** `sub` is null where the name was taken: then its owner is told, and no code is right. */
export async function sendSignUpCode(
  door: Doorkeeper,
  { pool, rules }: Visit,
  username: string,
  { sub, is_resend }: { sub: string | null; is_resend: boolean },
): Promise<Delivery> {
  const user = await findByUsername(door.database, pool.id, username)
  const isOwn = user !== null && user.sub === sub
  if (isOwn && user.status !== 'UNCONFIRMED') throw invalid('User is already confirmed.')

  const purpose = isOwn ? 'sign_up' : 'sign_up_again'
  const code = await door.codes.issue({ pool_id: pool.id, username, purpose, is_resend })
  const recipient = { channel: 'email', recipient: username } as const
  if (code && isOwn) door.send(user, recipient, signUpCode(rules.name, code))
  else if (code && user?.enabled) door.send(user, recipient, nameTaken(rules.name, door.login_address))
  return byEmail(username)
}

/** The owner of the address confirms what this very interaction signed up, or has shown the password of. */
export async function confirmSignUp(
  door: Doorkeeper,
  { pool, ip }: Visit,
  challenge: Challenge,
  { username: typed, code }: { username: string; code: string },
): Promise<Challenge> {
  const username = toUsername(typed)
  const purpose = challenge.sub === null ? 'sign_up_again' : 'sign_up'
  const attempt = await door.attempts.begin({ pool_id: pool.id, username, ip, kind: 'code' })
  const user = await findByUsername(door.database, pool.id, username)
  if (user && user.sub === challenge.sub && user.status === 'CONFIRMED') {
    await attempt.forgive()
    return { ...challenge, step: 'CONFIRMED' }
  }
  await door.codes.spend({ pool_id: pool.id, username, purpose, code })
  await attempt.forgive()
  if (!user || user.sub !== challenge.sub || !(await confirmSignedUp(door.database, user)))
    throw sessionExpired()
  return { ...challenge, step: 'CONFIRMED' }
}

/** Signs in whoever has just confirmed their account, once there is a place for them. */
export async function autoSignIn(door: Doorkeeper, visit: Visit, user: User): Promise<Progressed> {
  if (!user.enabled || user.status !== 'CONFIRMED') throw sessionExpired()
  await requireAdmitted(door, user)
  return afterPassword(door, visit, user)
}

/** Also for those who closed the page too early, at a later sign-in. */
export async function requireAdmitted(door: Doorkeeper, user: User): Promise<void> {
  if (!user.awaits_admission) return
  const { pool_id, sub, username, attributes } = user
  try {
    await door.house.admit({ pool: pool_id, sub, email: username, attributes: asWords(attributes) })
  } catch {
    throw notReady()
  }
  await markAdmitted(door.database, user)
}

/** Accounts that people create themselves. Only the owner of an address learns, by mail, that it is taken. */
import type { PoolClient } from 'pg'
import { asWords, requireAllowed } from './attributes.ts'
import { confirmSignedUp, findUnconfirmed, markAdmitted } from './confirmation.server.ts'
import type { Doorkeeper, Visit } from './door.ts'
import { IdentityError, invalid, notReady, sessionExpired, usernameExists } from './errors.ts'
import { requirePolicy } from './factors/passwords.server.ts'
import type { Challenge } from './interactions.server.ts'
import { byEmail, type Delivery, nameTaken, signUpCode } from './messages.ts'
import { afterPassword, type Progressed } from './sign-in.server.ts'
import { inTransaction } from './transaction.server.ts'
import { findByUsername, insertAccount, toUsername, type User } from './users.server.ts'

type Wish = { username: string; password: string; user_attributes: Record<string, string> }

export async function signUp(door: Doorkeeper, visit: Visit, wish: Wish) {
  const { pool, rules, ip } = visit
  const username = toUsername(wish.username)
  if (!rules.screens.sign_up) throw signUpClosed()
  if (username.length > 254 || !/^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u.test(username))
    throw invalid('Username should be an email.')
  if (!(await door.house.maySignUp({ pool: pool.id, email: username }))) throw signUpClosed()
  const attributes = requireAllowed(wish.user_attributes, rules.screens.required_attributes)
  requirePolicy(rules.password_policy, wish.password, username)
  await door.attempts.countSend(ip)

  const password_hash = await door.passwords.hash(wish.password)
  const made = await insertAccount(door.database, pool.id, username, {
    password_hash,
    status: 'UNCONFIRMED',
    temporary_until: null,
    attributes: { ...attributes, email: username, email_verified: false },
    awaits_admission: true,
  })
  // The form was sent twice, or the person comes back: until it is confirmed, the account may be theirs.
  const sub = made ?? (await findUnconfirmed(door.database, pool.id, username)) ?? null
  if (sub === null && rules.reveals_users) throw usernameExists()
  const challenge: Challenge = { step: 'SIGNED_UP', sub, amr: ['pwd'], password_hash, attributes }
  const delivery = await sendSignUpCode(door, visit, username, { challenge, is_resend: false })
  return { next: { step: 'CONFIRM_SIGN_UP' as const, delivery }, challenge }
}

const awaitsCode = (user: User | null, { sub }: Challenge): user is User =>
  user !== null && user.sub === sub && user.status === 'UNCONFIRMED'

const isConfirmedBy = (user: User | null, { sub, password_hash }: Challenge): boolean =>
  user !== null && user.sub === sub && user.status === 'CONFIRMED' && user.password_hash === password_hash

const signUpClosed = () =>
  new IdentityError('NotAuthorizedException', 'SignUp is not permitted for this user pool')

/** If the name was taken, its owner is told, and no code will work. */
export async function sendSignUpCode(
  door: Doorkeeper,
  { pool, rules }: Visit,
  username: string,
  { challenge, is_resend }: { challenge: Challenge; is_resend: boolean },
): Promise<Delivery> {
  const user = await findByUsername(door.database, pool.id, username)
  if (isConfirmedBy(user, challenge)) throw invalid('User is already confirmed.')

  const isOwn = awaitsCode(user, challenge)
  const purpose = isOwn ? 'sign_up' : 'sign_up_again'
  const code = await door.codes.issue({ pool_id: pool.id, username, purpose, is_resend })
  const recipient = { channel: 'email', recipient: username } as const
  if (code && isOwn) door.send(user, recipient, signUpCode(rules.name, code))
  else if (code && user?.enabled) door.send(user, recipient, nameTaken(rules.name, door.login_address))
  return byEmail(username)
}

/** Confirms an account that this interaction signed up, or whose password it has proved. */
export async function confirmSignUp(
  door: Doorkeeper,
  { pool, ip }: Visit,
  challenge: Challenge,
  { username: typed, code }: { username: string; code: string },
): Promise<Challenge> {
  const username = toUsername(typed)
  const { step: _, password_hash, attributes = {}, ...rest } = challenge
  const confirmed: Challenge = { ...rest, step: 'CONFIRMED' }
  const find = () => findByUsername(door.database, pool.id, username)
  const attempt = await door.attempts.begin({ pool_id: pool.id, username, ip, kind: 'code' })
  const user = await find()
  const isOwn = awaitsCode(user, challenge)
  const purpose = isOwn ? 'sign_up' : 'sign_up_again'
  // Of two requests at once, the second waits until the first has confirmed the account.
  const spendAndConfirm = async (connection: PoolClient) => {
    await door.codes.spend({ pool_id: pool.id, username, purpose, code }, connection)
    return isOwn && password_hash && confirmSignedUp(connection, user, { password_hash, attributes })
  }
  let isDone: unknown = isConfirmedBy(user, challenge)
  try {
    isDone ||= await inTransaction(door.database, spendAndConfirm)
  } catch (refusal) {
    // When the form was sent twice, the other request may have used up the code.
    if (!isConfirmedBy(await find(), challenge)) throw refusal
    await attempt.forgive()
    return confirmed
  }
  await attempt.forgive()
  if (!isDone) throw sessionExpired()
  return confirmed
}

/** Signs in a person who has just confirmed their account, once they have a place in a company. */
export async function autoSignIn(door: Doorkeeper, visit: Visit, user: User): Promise<Progressed> {
  if (!user.enabled || user.status !== 'CONFIRMED') throw sessionExpired()
  await requireAdmitted(door, user)
  return afterPassword(door, visit, user)
}

/** Also runs at a later sign-in, for people who closed the page too early. */
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

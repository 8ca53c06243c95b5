/** Forgotten passwords and unverified contacts: codes sent by mail or text. */
import type { PoolClient } from 'pg'
import { textOf } from './attributes.ts'
import { markVerified } from './confirmation.server.ts'
import type { Doorkeeper, Visit } from './door.ts'
import { invalid, nobodyToRecover, sessionExpired } from './errors.ts'
import { requirePolicy } from './factors/passwords.server.ts'
import {
  byEmail,
  bySms,
  contactCode,
  type Delivery,
  freshInvitation,
  type Letter,
  resetCode,
} from './messages.ts'
import { endEverythingOf } from './oidc/models.server.ts'
import { inTransaction } from './transaction.server.ts'
import { findByUsername, replacePassword, toUsername, type User } from './users.server.ts'

export type Contact = 'email' | 'phone_number'

/** The code screen follows for everyone, known or not. */
export async function resetPassword(
  door: Doorkeeper,
  { pool, rules, ip }: Visit,
  { username: typed, is_resend }: { username: string; is_resend: boolean },
): Promise<Delivery> {
  await door.attempts.countSend(ip)
  const username = toUsername(typed)
  const user = await findByUsername(door.database, pool.id, username)
  if (!user && rules.reveals_users) throw nobodyToRecover()
  const code = await door.codes.issue({ pool_id: pool.id, username, purpose: 'reset', is_resend })
  if (code && user?.enabled) answerForgotten(door, user, rules.name, code)
  return byEmail(username)
}

/** A person who has never chosen a password is invited again instead. */
function answerForgotten(door: Doorkeeper, user: User, name: string, code: string): void {
  const recipient = { channel: 'email', recipient: user.username } as const
  door.later(async () => {
    const isInvited = user.status === 'FORCE_CHANGE_PASSWORD'
    const letter = isInvited ? await inviteAgain(door, user, name) : resetCode(name, code)
    door.send(user, recipient, letter)
  })
}

async function inviteAgain(door: Doorkeeper, user: User, name: string): Promise<Letter> {
  const { link, temporary_until } = await door.reinvite(user)
  const account = { pool: user.pool_id, sub: user.sub }
  return freshInvitation(name, user, link, await door.house.sayWhen(account, temporary_until))
}

type Reset = { username: string; confirmation_code: string; new_password: string }

/** This browser's memory of whose password it has changed. */
export type Remembered = {
  keep(on: PoolClient, sub: string): Promise<void>
  sub(): Promise<string | null>
}

export async function confirmResetPassword(
  door: Doorkeeper,
  visit: Visit,
  reset: Reset,
  remembered: Remembered,
): Promise<void> {
  const { pool, rules, ip } = visit
  const { database, attempts, codes, passwords } = door
  const username = toUsername(reset.username)
  const pool_id = pool.id
  requirePolicy(rules.password_policy, reset.new_password, username)

  const attempt = await attempts.begin({ pool_id, username, ip, kind: 'code' })
  const user = await findByUsername(database, pool_id, username)
  const account = {
    password_hash: await passwords.hash(reset.new_password),
    status: 'CONFIRMED',
    temporary_until: null,
    attributes: { email_verified: true },
  } as const
  const among = ['CONFIRMED', 'RESET_REQUIRED', 'UNCONFIRMED'] as const
  // Of two requests at once, the second waits until the first has changed the password.
  const spendAndReplace = async (connection: PoolClient) => {
    await codes.spend({ pool_id, username, purpose: 'reset', code: reset.confirmation_code }, connection)
    if (!user?.enabled || !(await replacePassword(connection, user, account, among))) throw sessionExpired()
    await remembered.keep(connection, user.sub)
  }
  try {
    await inTransaction(database, spendAndReplace)
  } catch (refusal) {
    // When the form was sent twice, the other request may have used up the code.
    const now = await findByUsername(database, pool_id, username)
    const isOurs = now !== null && (await remembered.sub()) === now.sub
    if (!isOurs || !(await passwords.matches(reset.new_password, now.password_hash))) throw refusal
    return attempt.forgive()
  }
  await attempt.forgive()
  await endEverythingOf(database, pool_id, user?.sub ?? '')
}

export async function sendContactCode(
  door: Doorkeeper,
  { rules }: Visit,
  user: User,
  { key, is_resend }: { key: Contact; is_resend: boolean },
): Promise<Delivery> {
  const recipient = textOf(user.attributes, key)
  if (recipient === null) throw invalid(`There is no ${key} to verify.`)
  const { pool_id, username } = user
  const code = await door.codes.issue({ pool_id, username, purpose: key, is_resend })
  const channel = key === 'email' ? 'email' : 'sms'
  if (code) door.send(user, { channel, recipient }, contactCode(rules.name, code))
  return key === 'email' ? byEmail(recipient) : bySms(recipient)
}

export async function confirmContact(
  door: Doorkeeper,
  { ip }: Visit,
  user: User,
  { key, confirmation_code }: { key: Contact; confirmation_code: string },
): Promise<void> {
  const { pool_id, username } = user
  const attempt = await door.attempts.begin({ pool_id, username, ip, kind: 'factor' })
  await door.codes.spend({ pool_id, username, purpose: key, code: confirmation_code })
  await attempt.forgive()
  if (!(await markVerified(door.database, user, key))) throw sessionExpired()
}

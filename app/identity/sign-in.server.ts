/** Checks a user name and a password against the accounts of one pool, and decides what is still required. */
import { missingOf, textOf } from './attributes.ts'
import type { Doorkeeper, Visit } from './door.ts'
import {
  disabled,
  IdentityError,
  invitationExpired,
  invitationUsed,
  isLimit,
  limitExceeded,
  sessionExpired,
  wrongPassword,
} from './errors.ts'
import { isTooLong } from './factors/passwords.server.ts'
import type { Challenge } from './interactions.server.ts'
import { bySms, type Delivery, signInCode } from './messages.ts'
import { findBySub, findByUsername, toUsername, type User } from './users.server.ts'

export type Step =
  | { step: 'DONE' }
  | { step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED'; missing_attributes: string[] }
  | { step: 'CONFIRM_SIGN_IN_WITH_SMS_CODE'; delivery: Delivery }
  | { step: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE' }
  | { step: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP' }
  | { step: 'CONFIRM_SIGN_UP' }
  | { step: 'RESET_PASSWORD' }

/** `next` is for the screens; `challenge` stays in this room. */
export type Progressed = { next: Step; challenge: Challenge | null }
export type Proved = Progressed & { challenge: Challenge }

type Credentials = { username: string; password: string }

/** Throws an `IdentityError`, the same for a wrong password and for an unknown name. */
export async function signIn(door: Doorkeeper, visit: Visit, credentials: Credentials): Promise<Progressed> {
  const user = await authenticate(door, visit, credentials)
  if (!user.enabled) throw disabled()
  const { sub } = user
  switch (user.status) {
    case 'UNCONFIRMED':
      return {
        next: { step: 'CONFIRM_SIGN_UP' },
        challenge: { step: 'SIGNED_UP', sub, amr: ['pwd'], password_hash: user.password_hash },
      }
    case 'RESET_REQUIRED':
      return { next: { step: 'RESET_PASSWORD' }, challenge: null }
    case 'FORCE_CHANGE_PASSWORD':
      if (hasLapsed(user)) throw lapsed()
      return {
        next: {
          step: 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED',
          missing_attributes: missingFrom(user, visit),
        },
        challenge: mayChoosePassword(user),
      }
    default:
      return afterPassword(door, visit, user)
  }
}

async function authenticate(door: Doorkeeper, visit: Visit, { username: typed, password }: Credentials) {
  const pool_id = visit.pool.id
  const username = toUsername(typed)

  const attempt = await door.attempts.begin({ pool_id, username, ip: visit.ip }).catch(async (refusal) => {
    // Takes as long as a real check, so that nobody learns which names are known at an address.
    if (isLimit(refusal) && !isTooLong(password)) await door.passwords.matches(password, null)
    throw refusal
  })
  const wrong = attempt.isCrowded ? limitExceeded : wrongPassword
  if (isTooLong(password)) throw wrong()

  const user = await findByUsername(door.database, pool_id, username)
  const isRight = await door.passwords.matches(password, user?.password_hash ?? null)
  if (!user && visit.rules.reveals_users)
    throw new IdentityError('UserNotFoundException', 'User does not exist.')
  if (!isRight || !user) throw wrong()

  await attempt.forgive()
  return user
}

const missingFrom = ({ attributes }: User, { rules }: Visit): string[] =>
  missingOf(attributes, rules.screens.required_attributes)
const mayChoosePassword = ({ sub }: User): Challenge => ({ step: 'NEW_PASSWORD', sub, amr: ['pwd'] })

/** The code of an invitation link: the account's `sub`, and the temporary password. */
const INVITATION = /^([\da-f-]{36})\.([\w-]{1,100})$/

export type Invited = { username: string; missing_attributes: string[]; challenge: Challenge }

/** Uses nothing up, because mail scanners open links too. */
export async function openInvitation(door: Doorkeeper, visit: Visit, code: string): Promise<Invited> {
  const [, sub, password] = INVITATION.exec(code) ?? []
  if (!sub || !password) throw invitationUsed()
  const pool_id = visit.pool.id
  const user = await findBySub(door.database, pool_id, sub)
  const username = user?.username ?? sub
  const attempt = await door.attempts.begin({ pool_id, username, ip: visit.ip, kind: 'code' })
  const hash = user?.status === 'FORCE_CHANGE_PASSWORD' ? user.password_hash : null
  if (!(await door.passwords.matches(password, hash)) || !user) throw invitationUsed()
  await attempt.forgive()
  if (!user.enabled) throw disabled()
  if (hasLapsed(user)) throw invitationExpired()
  return { username, missing_attributes: missingFrom(user, visit), challenge: mayChoosePassword(user) }
}

export const hasLapsed = ({ temporary_until }: User) =>
  temporary_until !== null && temporary_until < new Date()

const lapsed = () =>
  new IdentityError(
    'NotAuthorizedException',
    'Temporary password has expired and must be reset by an administrator.',
  )

const phoneOf = ({ preferred_mfa, attributes }: User) =>
  preferred_mfa === 'SMS_MFA' ? textOf(attributes, 'phone_number') : null

/** Whether the account has a factor. A person who has proved only the password cannot set up another. */
export const hasFactor = (user: User): boolean =>
  user.preferred_mfa === 'SOFTWARE_TOKEN_MFA' || phoneOf(user) !== null

export async function afterPassword(door: Doorkeeper, visit: Visit, user: User): Promise<Progressed> {
  const { sub, pool_id } = user
  const amr = ['pwd']
  const phone = phoneOf(user)
  if (phone) {
    const delivery = await textCode(door, visit, user, { phone, is_resend: false })
    return {
      next: { step: 'CONFIRM_SIGN_IN_WITH_SMS_CODE', delivery },
      challenge: { step: 'SMS_CODE', sub, amr },
    }
  }
  if (hasFactor(user))
    return { next: { step: 'CONFIRM_SIGN_IN_WITH_TOTP_CODE' }, challenge: { step: 'TOTP_CODE', sub, amr } }
  if (await door.house.requiresMfa({ pool: pool_id, sub }))
    return { next: { step: 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP' }, challenge: { step: 'TOTP_SETUP', sub, amr } }
  return done(sub, amr)
}

export const done = (sub: string, amr: string[]): Proved => ({
  next: { step: 'DONE' },
  challenge: { step: 'DONE', sub, amr },
})

export async function resendSignInCode(door: Doorkeeper, visit: Visit, user: User): Promise<Delivery> {
  const phone = textOf(user.attributes, 'phone_number')
  if (!user.enabled || phone === null) throw sessionExpired()
  return textCode(door, visit, user, { phone, is_resend: true })
}

async function textCode(
  door: Doorkeeper,
  { rules }: Visit,
  user: User,
  { phone, is_resend }: { phone: string; is_resend: boolean },
): Promise<Delivery> {
  const { pool_id, username } = user
  const code = await door.codes.issue({ pool_id, username, purpose: 'sms', is_resend })
  if (code) door.send(user, { channel: 'sms', recipient: phone }, signInCode(rules.name, code))
  return bySms(phone)
}

/** What the platform may do with the accounts of embedded pools. */
import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'
import { IdentityError, userNotFound } from './errors.ts'
import type { Passwords } from './factors/passwords.server.ts'
import { endEverythingOf } from './models.server.ts'
import { changeEmail, erase } from './renaming.server.ts'
import {
  type Account,
  type Attributes,
  findBySub,
  findByUsername,
  insertAccount,
  outdateTokens,
  replacePassword,
  setEnabled,
  setSecondFactor,
  toUsername,
  type User,
} from './users.server.ts'

/** `link` opens the screen on which the person chooses a password; both stop to open anything at `temporary_until`. */
type Temporary = { temporary_password: string; link: string; temporary_until: Date }
type Nothing = { [Part in keyof Temporary]: null }
const NOTHING: Nothing = { temporary_password: null, link: null, temporary_until: null }

export type IdentityAdmin = {
  /** Nothing to send when the person has an account with a password of their own. */
  invite(person: {
    pool: string
    email: string
    attributes?: Attributes
  }): Promise<{ sub: string; is_new: boolean } & (Temporary | Nothing)>
  /** A fresh link, which makes the one before void, as long as the account has no password of its owner's choice. */
  resendInvite(account: { pool: string; sub: string }): Promise<Temporary>
  setEnabled(account: { pool: string; sub: string; enabled: boolean }): Promise<void>
  /** A confirmed account with this very password: for seeds. */
  setPassword(person: {
    pool: string
    email: string
    password: string
    /** Its e-mail address counts as verified, unless they say otherwise. */
    attributes?: Attributes
  }): Promise<{ sub: string }>
  /** The password is worth nothing from now on: a code and a new one are due at the next sign-in. */
  requireReset(account: { pool: string; sub: string }): Promise<void>
  /** `SMS_MFA` needs a verified phone; null takes a lost authenticator app away. */
  setSecondFactor(account: { pool: string; sub: string; preferred: 'SMS_MFA' | null }): Promise<void>
  signOutEverywhere(account: { pool: string; sub: string }): Promise<void>
  /** The address that the account signs in with from now on; its owner has shown it to be theirs. */
  changeEmail(account: { pool: string; sub: string; email: string }): Promise<void>
  /** The account is disabled for good, and nothing in it says any more whose it was. */
  erase(account: { pool: string; sub: string }): Promise<void>
  findByEmail(person: {
    pool: string
    email: string
  }): Promise<Pick<User, 'sub' | 'status' | 'enabled' | 'attributes'> | null>
}

const TEMPORARY_DAYS = 7
/** Nobody has shown yet to be the owner of such an account. */
const NEVER_USED: readonly User['status'][] = ['FORCE_CHANGE_PASSWORD', 'UNCONFIRMED']

export function createAdmin(database: Pool, passwords: Passwords, origin: string): IdentityAdmin {
  const invitationOf = (pool: string, sub: string, temporary_password: string, temporary_until: Date) => ({
    temporary_password,
    link: `${origin}/invitation/${pool}/${sub}.${temporary_password}`,
    temporary_until,
  })

  async function renew(user: User): Promise<Temporary> {
    const { temporary_password, temporary_until, account } = await temporary(passwords, {})
    if (!(await replacePassword(database, user, account, NEVER_USED)))
      throw new IdentityError('UnsupportedUserStateException', 'The user has a password already.')
    await endEverythingOf(database, user.pool_id, user.sub)
    return invitationOf(user.pool_id, user.sub, temporary_password, temporary_until)
  }

  async function requireUser(pool: string, sub: string): Promise<User> {
    const user = await findBySub(database, pool, sub)
    if (!user) throw userNotFound()
    return user
  }

  return {
    async invite({ pool, email, attributes = {} }) {
      const username = toUsername(email)
      const { temporary_password, temporary_until, account } = await temporary(passwords, {
        ...attributes,
        email: username,
      })
      const sub = await insertAccount(database, pool, username, account)
      if (sub) return { sub, is_new: true, ...invitationOf(pool, sub, temporary_password, temporary_until) }

      const user = await findByUsername(database, pool, username)
      if (!user) throw userNotFound()
      const pending = NEVER_USED.includes(user.status)
      const renewed = pending ? await renew(user) : NOTHING
      return { sub: user.sub, ...renewed, is_new: false }
    },

    async resendInvite({ pool, sub }) {
      return renew(await requireUser(pool, sub))
    },

    async setEnabled({ pool, sub, enabled }) {
      if (!(await setEnabled(database, pool, sub, enabled))) throw userNotFound()
      if (!enabled) await endEverythingOf(database, pool, sub)
    },

    async setPassword({ pool, email, password, attributes = {} }) {
      const username = toUsername(email)
      const account: Account = {
        password_hash: await passwords.hash(password),
        status: 'CONFIRMED',
        temporary_until: null,
        attributes: { email_verified: true, ...attributes, email: username },
      }
      const sub = await insertAccount(database, pool, username, account)
      if (sub) return { sub }

      const user = await findByUsername(database, pool, username)
      if (!user || !(await replacePassword(database, user, account))) throw userNotFound()
      await endEverythingOf(database, pool, user.sub)
      return { sub: user.sub }
    },

    async requireReset({ pool, sub }) {
      const user = await requireUser(pool, sub)
      const { password_hash, temporary_until } = user
      const account: Account = { password_hash, temporary_until, status: 'RESET_REQUIRED', attributes: {} }
      if (!(await replacePassword(database, user, account, ['CONFIRMED', 'RESET_REQUIRED'])))
        throw new IdentityError('UnsupportedUserStateException', 'The user has no password to reset.')
      await endEverythingOf(database, pool, user.sub)
    },

    async setSecondFactor({ pool, sub, preferred }) {
      await requireUser(pool, sub)
      if (!(await setSecondFactor(database, pool, sub, preferred)))
        throw new IdentityError('InvalidParameterException', 'The user has no verified phone number.')
    },

    async signOutEverywhere({ pool, sub }) {
      if (!(await outdateTokens(database, pool, sub))) throw userNotFound()
      await endEverythingOf(database, pool, sub)
    },

    changeEmail: (account) => changeEmail(database, account),
    erase: (account) => erase(database, account),

    async findByEmail({ pool, email }) {
      const user = await findByUsername(database, pool, toUsername(email))
      if (!user) return null
      const { sub, status, enabled, attributes } = user
      return { sub, status, enabled, attributes }
    },
  }
}

async function temporary(passwords: Passwords, attributes: Attributes) {
  const temporary_password = generatePassword()
  const temporary_until = new Date(Date.now() + TEMPORARY_DAYS * 24 * 60 * 60 * 1000)
  const account: Account = {
    password_hash: await passwords.hash(temporary_password),
    status: 'FORCE_CHANGE_PASSWORD',
    temporary_until,
    attributes,
  }
  return { temporary_password, temporary_until, account }
}

/** Four groups of four, about 90 bits, without letters that look alike; of every kind that a policy may ask for. */
function generatePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  const password = [group(), group(), group(), group()].join('-')
  return [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(password)) ? password : generatePassword()
}

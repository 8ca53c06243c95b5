/** What the platform can do with the accounts of embedded pools. */
import type { Pool } from 'pg'
import { IdentityError, userNotFound } from './errors.ts'
import type { Passwords } from './factors/passwords.server.ts'
import {
  createInvitations,
  type InvitationSetting,
  type Invitations,
  type Temporary,
} from './invitations.server.ts'
import { endEverythingOf } from './oidc/models.server.ts'
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

export type IdentityAdmin = {
  /** Returns nothing to send when the person already has an account with their own password. */
  invite: Invitations['invite']
  /** A new link, which invalidates the previous one, while the account has no password its owner chose. */
  resendInvite(account: { pool: string; sub: string }): Promise<Temporary>
  setEnabled(account: { pool: string; sub: string; enabled: boolean }): Promise<void>
  /** Creates a confirmed account with exactly this password, for seeds. */
  setPassword(person: {
    pool: string
    email: string
    password: string
    /** Its e-mail address counts as verified unless `attributes` say otherwise. */
    attributes?: Attributes
  }): Promise<{ sub: string }>
  requireReset(account: { pool: string; sub: string }): Promise<void>
  /** `SMS_MFA` needs a verified phone; null removes a lost authenticator app. */
  setSecondFactor(account: { pool: string; sub: string; preferred: 'SMS_MFA' | null }): Promise<void>
  signOutEverywhere(account: { pool: string; sub: string }): Promise<void>
  changeEmail(account: { pool: string; sub: string; email: string }): Promise<void>
  erase(account: { pool: string; sub: string }): Promise<void>
  findByEmail(person: {
    pool: string
    email: string
  }): Promise<Pick<User, 'sub' | 'status' | 'enabled' | 'attributes'> | null>
}

export function createAdmin(setting: InvitationSetting): IdentityAdmin {
  const { database, passwords } = setting
  const invitations = createInvitations(setting)

  return {
    invite: invitations.invite,
    resendInvite: async (account) => invitations.renew(await requireUser(database, account)),
    ...passwordCalls(database, passwords),

    async setEnabled({ pool, sub, enabled }) {
      if (!(await setEnabled(database, pool, sub, enabled))) throw userNotFound()
      if (!enabled) await endEverythingOf(database, pool, sub)
    },

    async setSecondFactor({ pool, sub, preferred }) {
      await requireUser(database, { pool, sub })
      if (!(await setSecondFactor(database, pool, sub, preferred)))
        throw new IdentityError('InvalidParameterException', 'The user has no verified phone number.')
    },

    async signOutEverywhere({ pool, sub }) {
      if (!(await outdateTokens(database, pool, sub))) throw userNotFound()
      await endEverythingOf(database, pool, sub)
    },

    changeEmail: (account) => changeEmail(setting, account),
    erase: (account) => erase(database, account),

    async findByEmail({ pool, email }) {
      const user = await findByUsername(database, pool, toUsername(email))
      if (!user) return null
      const { sub, status, enabled, attributes } = user
      return { sub, status, enabled, attributes }
    },
  }
}

function passwordCalls(
  database: Pool,
  passwords: Passwords,
): Pick<IdentityAdmin, 'setPassword' | 'requireReset'> {
  return {
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

    async requireReset(account) {
      const user = await requireUser(database, account)
      const { password_hash, temporary_until } = user
      const reset: Account = { password_hash, temporary_until, status: 'RESET_REQUIRED', attributes: {} }
      if (!(await replacePassword(database, user, reset, ['CONFIRMED', 'RESET_REQUIRED'])))
        throw new IdentityError('UnsupportedUserStateException', 'The user has no password to reset.')
      await endEverythingOf(database, user.pool_id, user.sub)
    },
  }
}

async function requireUser(database: Pool, { pool, sub }: { pool: string; sub: string }): Promise<User> {
  const user = await findBySub(database, pool, sub)
  if (!user) throw userNotFound()
  return user
}

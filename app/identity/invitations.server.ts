/** Accounts whose owner has not chosen a password yet: they have a temporary one and a link. */
import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'
import type { House } from './door.ts'
import { IdentityError, usernameExists } from './errors.ts'
import type { Passwords } from './factors/passwords.server.ts'
import { endEverythingOf } from './oidc/models.server.ts'
import { vacate } from './renaming.server.ts'
import {
  type Account,
  type Attributes,
  findBySub,
  findByUsername,
  insertAccount,
  replacePassword,
  toUsername,
  type User,
} from './users.server.ts'

/** `link` opens the screen on which the person chooses a password; both expire at `temporary_until`. */
export type Temporary = { temporary_password: string; link: string; temporary_until: Date }
type Nothing = { [Part in keyof Temporary]: null }
const NOTHING: Nothing = { temporary_password: null, link: null, temporary_until: null }

type Invited = { sub: string } & (Temporary | Nothing)

export type Invitations = {
  /** `own`: the person's existing account, if any, whatever its name. */
  invite(person: {
    pool: string
    email: string
    attributes?: Attributes
    own?: string | undefined
  }): Promise<Invited>
  renew(user: User): Promise<Temporary>
}

const TEMPORARY_DAYS = 7
/** In these states nobody has yet proved to own the account. */
const NEVER_USED: readonly User['status'][] = ['FORCE_CHANGE_PASSWORD', 'UNCONFIRMED']

/** A person who signed up and waits for a place gets one with the invitation. */
const isSignUp = ({ enabled, awaits_admission }: User) => enabled && awaits_admission

export type InvitationSetting = {
  database: Pool
  passwords: Passwords
  origin: string
  house: Pick<House, 'hasPerson'>
}

export function createInvitations({ database, passwords, origin, house }: InvitationSetting): Invitations {
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

  async function inviteAgain(user: User): Promise<Invited> {
    return { sub: user.sub, ...(NEVER_USED.includes(user.status) ? await renew(user) : NOTHING) }
  }

  async function invite({ pool, email, attributes = {}, own }: Parameters<Invitations['invite']>[0]) {
    const known = own === undefined ? null : await findBySub(database, pool, own)
    if (known?.enabled) return inviteAgain(known)
    const username = toUsername(email)
    const { temporary_password, temporary_until, account } = await temporary(passwords, {
      ...attributes,
      email: username,
    })
    await vacate({ database, house }, { pool, username }, isSignUp)
    const sub = await insertAccount(database, pool, username, account)
    if (sub) return { sub, ...invitationOf(pool, sub, temporary_password, temporary_until) }

    const user = await findByUsername(database, pool, username)
    if (!user || !isSignUp(user)) throw usernameExists()
    return inviteAgain(user)
  }

  return { invite, renew }
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

/** Four groups of four, about 90 bits, without look-alike letters, with every kind of character a policy may require. */
function generatePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  const password = [group(), group(), group(), group()].join('-')
  return [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(password)) ? password : generatePassword()
}

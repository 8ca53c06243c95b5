/** Who may in: a username and a password against the accounts of one pool. */
import type { Pool } from 'pg'
import type { Attempts } from './attempts.server.ts'
import { IdentityError, wrongPassword } from './errors.ts'
import { isTooLong, type PasswordPolicy, type Passwords, requirePolicy } from './passwords.server.ts'
import { confirmWithPassword, findByUsername, toUsername, type User } from './users.server.ts'

export type Doorkeeper = { database: Pool; attempts: Attempts; passwords: Passwords }

export type Credentials = { pool_id: string; username: string; password: string; ip: string }

/** Answers the account, which may still have to choose a password, or throws an `IdentityError`. */
export async function authenticate(door: Doorkeeper, credentials: Credentials): Promise<User> {
  const { pool_id, password, ip } = credentials
  const username = toUsername(credentials.username)

  const attempt = await door.attempts.begin({ pool_id, username, ip })
  if (isTooLong(password)) throw wrongPassword()

  const user = await findByUsername(door.database, pool_id, username)
  if (!(await door.passwords.matches(password, user?.password_hash ?? null)) || !user) throw wrongPassword()

  await attempt.forgive()
  requireUsable(user)
  return user
}

/** Said only to those who know the password. */
function requireUsable(user: User): void {
  if (!user.enabled) throw new IdentityError('NotAuthorizedException', 'User is disabled.')
  if (user.status === 'UNCONFIRMED')
    throw new IdentityError('UserNotConfirmedException', 'User is not confirmed.')
  if (user.status === 'RESET_REQUIRED')
    throw new IdentityError('PasswordResetRequiredException', 'Password reset required for the user')
  if (user.status === 'FORCE_CHANGE_PASSWORD' && hasLapsed(user))
    throw new IdentityError(
      'NotAuthorizedException',
      'Temporary password has expired and must be reset by an administrator.',
    )
}

const hasLapsed = ({ temporary_until }: User) => temporary_until !== null && temporary_until < new Date()

/** Gives an invited account the password of its owner's choice. */
export async function chooseFirstPassword(
  { database, passwords }: Doorkeeper,
  policy: PasswordPolicy,
  user: User,
  password: string,
): Promise<void> {
  requirePolicy(policy, password, user.username)
  if (await passwords.matches(password, user.password_hash))
    throw new IdentityError('InvalidPasswordException', 'Choose a password other than the temporary one')
  if (hasLapsed(user) || !(await confirmWithPassword(database, user, await passwords.hash(password))))
    throw new IdentityError('NotAuthorizedException', 'Invalid session for the user, session is expired.')
}

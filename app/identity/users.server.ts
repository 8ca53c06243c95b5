import type { Pool } from 'pg'

export type User = {
  pool_id: string
  sub: string
  username: string
  password_hash: string | null
  status: 'UNCONFIRMED' | 'CONFIRMED' | 'FORCE_CHANGE_PASSWORD' | 'RESET_REQUIRED'
  enabled: boolean
  attributes: Attributes
  temporary_until: Date | null
  tokens_valid_after: Date
  preferred_mfa: 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA' | null
  awaits_admission: boolean
}

export type Attributes = { [name: string]: string | boolean }

const COLUMNS = `pool_id, sub, username::text, password_hash, status, enabled, attributes, temporary_until,
  tokens_valid_after, preferred_mfa, awaits_admission`
const LONGEST_NAME = 254

export const toUsername = (typed: string) => typed.trim().toLowerCase()

/** No account has such a name, so the database need not be asked. */
const mayExist = (username: string) => username.length <= LONGEST_NAME && !/\p{C}/u.test(username)

export async function findByUsername(database: Pool, poolId: string, username: string): Promise<User | null> {
  if (!mayExist(username)) return null
  const { rows } = await database.query<User>(
    `select ${COLUMNS} from identity.users where pool_id = $1 and username = $2`,
    [poolId, username],
  )
  return rows[0] ?? null
}

export async function findBySub(database: Pool, poolId: string, sub: string): Promise<User | null> {
  const { rows } = await database.query<User>(
    `select ${COLUMNS} from identity.users where pool_id = $1 and sub::text = $2`,
    [poolId, sub],
  )
  return rows[0] ?? null
}

export type Account = Pick<User, 'password_hash' | 'status' | 'temporary_until' | 'attributes'> & {
  awaits_admission?: boolean
}

/** Returns the new account's `sub`, or undefined when the user name is taken. */
export async function insertAccount(
  database: Pool,
  poolId: string,
  username: string,
  account: Account,
): Promise<string | undefined> {
  const { rows } = await database.query<{ sub: string }>(
    `insert into identity.users
       (pool_id, username, password_hash, status, temporary_until, attributes, awaits_admission)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (pool_id, username) do nothing returning sub`,
    [
      poolId,
      username,
      account.password_hash,
      account.status,
      account.temporary_until,
      account.attributes,
      account.awaits_admission ?? false,
    ],
  )
  return rows[0]?.sub
}

/**
 * Replaces password and status of an account, but only in one of the statuses `among`. Whoever knew the old password
 * may have seen the secret of an app that is being set up.
 */
export async function replacePassword(
  database: Pick<Pool, 'query'>,
  user: User,
  account: Account,
  among: readonly User['status'][] | null = null,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update identity.users set password_hash = $3, status = $4, temporary_until = $5, attributes = attributes || $6,
       totp_pending_sealed = null, totp_pending_on = null, tokens_valid_after = now(), updated_on = now()
     where pool_id = $1 and sub = $2 and ($7::text[] is null or status = any($7))`,
    [
      user.pool_id,
      user.sub,
      account.password_hash,
      account.status,
      account.temporary_until,
      account.attributes,
      among,
    ],
  )
  return rowCount === 1
}

/** The invited person has chosen a password, and has proved that they read the mail with the temporary one. */
export async function confirmWithPassword(
  database: Pool,
  user: User,
  passwordHash: string,
  attributes: Attributes,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update identity.users set password_hash = $4, status = 'CONFIRMED', temporary_until = null,
       attributes = attributes || $5 || '{"email_verified": true}', updated_on = now()
     where pool_id = $1 and sub = $2 and password_hash = $3 and status = 'FORCE_CHANGE_PASSWORD' and enabled`,
    [user.pool_id, user.sub, user.password_hash, passwordHash, attributes],
  )
  return rowCount === 1
}

export async function setEnabled(
  database: Pool,
  poolId: string,
  sub: string,
  enabled: boolean,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'update identity.users set enabled = $3, updated_on = now() where pool_id = $1 and sub::text = $2',
    [poolId, sub, enabled],
  )
  return rowCount === 1
}

export async function outdateTokens(database: Pool, poolId: string, sub: string): Promise<boolean> {
  const { rowCount } = await database.query(
    'update identity.users set tokens_valid_after = now(), updated_on = now() where pool_id = $1 and sub::text = $2',
    [poolId, sub],
  )
  return rowCount === 1
}

/** Sets an account's second factor; without `preferred`, the next sign-in sets up an app where one is required. */
export async function setSecondFactor(
  database: Pool,
  poolId: string,
  sub: string,
  preferred: 'SMS_MFA' | null,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update identity.users set preferred_mfa = $3, totp_secret_sealed = null, totp_last_step = null,
       totp_pending_sealed = null, totp_pending_on = null, updated_on = now()
     where pool_id = $1 and sub::text = $2
       and ($3::text is null or attributes ->> 'phone_number_verified' = 'true')`,
    [poolId, sub, preferred],
  )
  return rowCount === 1
}

/** Sets the owner's own choice. An app stays set up, unless the password alone is chosen. */
export async function preferFactor(
  database: Pool,
  { pool_id, sub }: User,
  preferred: User['preferred_mfa'],
  phoneNumber: string | undefined,
): Promise<void> {
  const attributes = phoneNumber ? { phone_number: phoneNumber, phone_number_verified: true } : {}
  await database.query(
    `update identity.users set preferred_mfa = $3::text, attributes = attributes || $4, updated_on = now(),
       totp_secret_sealed = case when $3::text is null then null else totp_secret_sealed end,
       totp_last_step = case when $3::text is null then null else totp_last_step end,
       totp_pending_sealed = null, totp_pending_on = null
     where pool_id = $1 and sub = $2`,
    [pool_id, sub, preferred, attributes],
  )
}

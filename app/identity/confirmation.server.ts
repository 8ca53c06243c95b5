/** Accounts whose address is not confirmed yet. */
import type { Pool } from 'pg'
import type { Attributes, User } from './users.server.ts'

/** The owner has proved that they receive what is sent to this contact. */
export async function markVerified(
  database: Pool,
  { pool_id, sub, attributes }: User,
  contact: 'email' | 'phone_number',
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update identity.users set attributes = attributes || $3, updated_on = now()
     where pool_id = $1 and sub = $2 and attributes ->> $4 = $5`,
    [pool_id, sub, { [`${contact}_verified`]: true }, contact, attributes[contact]],
  )
  return rowCount === 1
}

/** A person who signed up has proved that they read their mail: the account becomes theirs, with what they entered. */
export async function confirmSignedUp(
  database: Pick<Pool, 'query'>,
  { pool_id, sub }: User,
  typed: { password_hash: string; attributes: Attributes },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update identity.users set status = 'CONFIRMED', password_hash = $3, updated_on = now(),
       attributes = attributes || $4 || '{"email_verified": true}'
     where pool_id = $1 and sub = $2 and status = 'UNCONFIRMED' and enabled`,
    [pool_id, sub, typed.password_hash, typed.attributes],
  )
  return rowCount === 1
}

export async function markAdmitted(database: Pool, { pool_id, sub }: User): Promise<void> {
  await database.query('update identity.users set awaits_admission = false where pool_id = $1 and sub = $2', [
    pool_id,
    sub,
  ])
}

/** Finds the unconfirmed account of a sign-up; asking again renews the time it is kept. */
export async function findUnconfirmed(
  database: Pool,
  poolId: string,
  username: string,
): Promise<string | undefined> {
  const { rows } = await database.query<{ sub: string }>(
    `update identity.users set updated_on = now()
     where pool_id = $1 and username = $2 and status = 'UNCONFIRMED' and enabled returning sub`,
    [poolId, username],
  )
  return rows[0]?.sub
}

/** Deletes sign-ups that nobody confirmed for a week. */
export async function sweepUnconfirmed(database: Pool): Promise<void> {
  await database.query(
    `delete from identity.users where status = 'UNCONFIRMED' and updated_on < now() - interval '7 days'`,
  )
}

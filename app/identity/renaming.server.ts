/** Gives accounts another name, or erases them. */
import type { Pool } from 'pg'
import type { House } from './door.ts'
import { userNotFound, usernameExists } from './errors.ts'
import { endEverythingOf } from './oidc/models.server.ts'
import { findByUsername, toUsername, type User } from './users.server.ts'

type Setting = { database: Pool; house: Pick<House, 'hasPerson'> }
type Account = { pool: string; sub: string }

/** The permanent name of an erased account. */
const ERASED = `('erased-' || sub || '@erased.invalid')`

/** The caller has verified that the address is the account owner's. Sessions continue, since the account stays the same. */
export async function changeEmail(setting: Setting, account: Account & { email: string }): Promise<void> {
  const username = toUsername(account.email)
  await vacate(setting, { pool: account.pool, username }, ({ sub }) => sub === account.sub)
  const { rowCount } = await setting.database.query(
    `update identity.users set username = $3, updated_on = now(), attributes = attributes || $4
     where pool_id = $1 and sub::text = $2 and username <> ${ERASED}`,
    [account.pool, account.sub, username, { email: username, email_verified: true }],
  )
  if (rowCount !== 1) throw userNotFound()
}

/**
 * Frees a name for the new owner of its address, by erasing the account that holds it. If that account still belongs
 * to a person, it is about to be renamed, and the caller tries again later.
 */
export async function vacate(
  { database, house }: Setting,
  { pool, username }: { pool: string; username: string },
  mayStay: (holder: User) => boolean,
): Promise<void> {
  const holder = await findByUsername(database, pool, username)
  if (!holder || mayStay(holder)) return
  const account = { pool, sub: holder.sub }
  if (await house.hasPerson(account)) throw usernameExists()
  await erase(database, account)
}

/** Makes sign-in impossible for good, and deletes everything that identifies the owner. */
export async function erase(database: Pool, { pool, sub }: Account): Promise<void> {
  // A sign-in in progress may contain the typed name before its account is known.
  await database.query(
    `delete from identity.models m using identity.users u where u.pool_id = $1 and u.sub::text = $2
       and m.pool_id = $1 and m.kind = 'Interaction'
       and strpos(lower(concat(m.payload, m.progress, m.challenge)), to_json(lower(u.username::text))::text) > 0`,
    [pool, sub],
  )
  await database.query(
    `update identity.users set enabled = false, username = ${ERASED}, attributes = '{}',
       password_hash = null, temporary_until = null, totp_secret_sealed = null, preferred_mfa = null,
       tokens_valid_after = now(), updated_on = now()
     where pool_id = $1 and sub::text = $2`,
    [pool, sub],
  )
  await endEverythingOf(database, pool, sub)
}

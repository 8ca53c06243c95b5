/** What a browser has proved so far during a sign-in, and which screen it is on. */
import type { Pool } from 'pg'
import type { Attributes } from './users.server.ts'

/**
 * - `NEW_PASSWORD`: knows the temporary password.
 * - `SMS_CODE`, `TOTP_CODE`, `TOTP_SETUP`: knows the password; the second factor is missing.
 * - `SIGNED_UP`: has signed up, or knows the password of an unconfirmed account. Without `sub` the name was taken,
 *   which the screens do not reveal. Several browsers can sign up for one unconfirmed account: the one whose person
 *   reads its mail confirms it, with what was typed there.
 * - `CONFIRMED`: the same, and has proved with the code that they read the mail.
 * - `RESET`: has changed a forgotten password, which proves nothing else.
 * - `DONE`: has proved everything that the sign-in requires.
 */
export type Challenge = {
  step:
    | 'NEW_PASSWORD'
    | 'SMS_CODE'
    | 'TOTP_CODE'
    | 'TOTP_SETUP'
    | 'SIGNED_UP'
    | 'CONFIRMED'
    | 'RESET'
    | 'DONE'
  sub: string | null
  amr: string[]
  password_hash?: string | null
  attributes?: Attributes
}

export type Standing = { progress: unknown; challenge: Challenge | null }

export async function findInteractionPool(database: Pool, uid: string): Promise<string | undefined> {
  const { rows } = await database.query<{ pool_id: string }>(
    `select pool_id from identity.models where kind = 'Interaction' and id = $1 and expires_at > now()`,
    [uid],
  )
  return rows[0]?.pool_id
}

export async function readStanding(database: Pool, poolId: string, uid: string): Promise<Standing> {
  const { rows } = await database.query<Standing>(
    `select progress, challenge from identity.models where pool_id = $1 and kind = 'Interaction' and id = $2`,
    [poolId, uid],
  )
  return rows[0] ?? { progress: null, challenge: null }
}

export async function writeProgress(database: Pool, poolId: string, uid: string, progress: object | null) {
  await database.query(
    `update identity.models set progress = $3 where pool_id = $1 and kind = 'Interaction' and id = $2`,
    [poolId, uid, progress],
  )
}

export async function writeChallenge(
  database: Pick<Pool, 'query'>,
  poolId: string,
  uid: string,
  challenge: Challenge | null,
) {
  await database.query(
    `update identity.models set challenge = $3 where pool_id = $1 and kind = 'Interaction' and id = $2`,
    [poolId, uid, challenge],
  )
}

/** Forgets what was proved, except a password reset that the same form, sent twice, has meanwhile completed. */
export async function forgetUnlessReset(database: Pool, poolId: string, uid: string) {
  await database.query(
    `update identity.models set challenge = null where pool_id = $1 and kind = 'Interaction' and id = $2
       and challenge ->> 'step' is distinct from 'RESET'`,
    [poolId, uid],
  )
}

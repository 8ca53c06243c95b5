/** Authenticator apps: secrets, and codes that work once. */
import { generateSecret, generateURI, verify } from 'otplib'
import type { Pool, PoolClient } from 'pg'
import { type IdentityError, sessionExpired, usedToken, wrongToken } from '#app/identity/errors.ts'
import type { User } from '#app/identity/users.server.ts'
import type { Secrets } from './secrets.server.ts'

const STEP_SECONDS = 30
const PENDING = `totp_pending_on > now() - interval '15 minutes'`

type Secret = { secret: string; uri: string }

export type Totp = {
  /** Throws unless the code is right, and no code of the same or a later time step was used. */
  spend(user: User, code: string, on?: PoolClient): Promise<void>
  /** Whether any code of an app was ever right. */
  isSetUp(account: { pool: string; sub: string }): Promise<boolean>
  /**
   * The secret to enter into an app, the same for a quarter of an hour after it was shown: two tabs agree, and people
   * who saw it long before do not know the one being set up. Until one of its codes was right, the previous app stays
   * in use.
   */
  setUp(user: User, issuer: string): Promise<Secret>
  pending(user: User, issuer: string): Promise<Secret | null>
  replace(user: User, code: string, refusal?: () => IdentityError, on?: PoolClient): Promise<void>
}

export function createTotp(database: Pool, secrets: Secrets): Totp {
  return { ...appInUse(database, secrets), ...nextApp(database, secrets) }
}

function appInUse(database: Pool, secrets: Secrets): Pick<Totp, 'spend' | 'isSetUp'> {
  return {
    async spend(user, code, on) {
      const connection = on ?? database
      const sealed = await sealedOf(connection, user, 'totp_secret_sealed')
      if (sealed === null) throw sessionExpired()
      const step = await stepOf(secrets.unseal(sealed), code, wrongToken)
      const { rowCount } = await connection.query(
        `update identity.users set totp_last_step = $3, updated_on = now()
         where pool_id = $1 and sub = $2 and (totp_last_step is null or totp_last_step < $3)`,
        [user.pool_id, user.sub, step],
      )
      if (rowCount !== 1) throw usedToken()
    },

    async isSetUp({ pool, sub }) {
      const { rowCount } = await database.query(
        `select from identity.users where pool_id = $1 and sub::text = $2
           and totp_secret_sealed is not null and totp_last_step is not null`,
        [pool, sub],
      )
      return rowCount === 1
    },
  }
}

function nextApp(database: Pool, secrets: Secrets): Pick<Totp, 'setUp' | 'pending' | 'replace'> {
  const readPending = (user: User, on: Connection = database) =>
    sealedOf(on, user, `case when ${PENDING} then totp_pending_sealed end`)

  return {
    async setUp(user, issuer) {
      await database.query(
        `update identity.users set totp_pending_on = now(),
           totp_pending_sealed = case when ${PENDING} then totp_pending_sealed else $3 end
         where pool_id = $1 and sub = $2`,
        [user.pool_id, user.sub, secrets.seal(generateSecret())],
      )
      const sealed = await readPending(user)
      if (sealed === null) throw sessionExpired()
      return asUri(user, issuer, secrets.unseal(sealed))
    },

    async pending(user, issuer) {
      const sealed = await readPending(user)
      return sealed === null ? null : asUri(user, issuer, secrets.unseal(sealed))
    },

    async replace(user, code, refusal = wrongToken, on) {
      const connection = on ?? database
      const sealed = await readPending(user, connection)
      if (sealed === null) throw sessionExpired()
      const step = await stepOf(secrets.unseal(sealed), code, refusal)
      const { rowCount } = await connection.query(
        `update identity.users set totp_secret_sealed = totp_pending_sealed, totp_last_step = $3,
           totp_pending_sealed = null, totp_pending_on = null, preferred_mfa = 'SOFTWARE_TOKEN_MFA', updated_on = now()
         where pool_id = $1 and sub = $2 and totp_pending_sealed = $4`,
        [user.pool_id, user.sub, step, sealed],
      )
      if (rowCount !== 1) throw sessionExpired()
    },
  }
}

type Connection = Pick<Pool, 'query'>

async function sealedOf(
  database: Connection,
  { pool_id, sub }: User,
  column: string,
): Promise<string | null> {
  const { rows } = await database.query<{ sealed: string | null }>(
    `select ${column} as sealed from identity.users where pool_id = $1 and sub = $2`,
    [pool_id, sub],
  )
  return rows[0]?.sealed ?? null
}

const asUri = (user: User, issuer: string, secret: string): Secret => ({
  secret,
  uri: generateURI({ issuer, label: user.username, secret }),
})

async function stepOf(secret: string, code: string, refusal: () => IdentityError): Promise<number> {
  if (!/^\d{6}$/.test(code)) throw refusal()
  const found = await verify({ secret, token: code, epochTolerance: STEP_SECONDS })
  if (!found.valid || !('timeStep' in found)) throw refusal()
  return found.timeStep
}

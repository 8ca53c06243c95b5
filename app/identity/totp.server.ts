/** Authenticator apps: secrets, and codes that count once. */
import { generateSecret, generateURI, verify } from 'otplib'
import type { Pool } from 'pg'
import { sessionExpired, usedToken, wrongToken } from './errors.ts'
import type { Secrets } from './secrets.server.ts'
import type { User } from './users.server.ts'

const STEP_SECONDS = 30

export type Totp = {
  /** The secret to be put into an app: the same until a code of it was right. */
  setUp(user: User, issuer: string): Promise<{ secret: string; uri: string }>
  /** Throws unless the code is right and no code of its moment or a later one was used. */
  spend(user: User, code: string, isSetup: boolean): Promise<void>
}

export function createTotp(database: Pool, secrets: Secrets): Totp {
  async function secretOf({ pool_id, sub }: User): Promise<string | null> {
    const { rows } = await database.query<{ sealed: string | null }>(
      'select totp_secret_sealed as sealed from identity.users where pool_id = $1 and sub = $2',
      [pool_id, sub],
    )
    return rows[0]?.sealed ? secrets.unseal(rows[0].sealed) : null
  }

  return {
    async setUp(user, issuer) {
      await database.query(
        `update identity.users set totp_secret_sealed = $3, totp_last_step = null
         where pool_id = $1 and sub = $2 and totp_secret_sealed is null`,
        [user.pool_id, user.sub, secrets.seal(generateSecret())],
      )
      const secret = await secretOf(user)
      if (secret === null) throw sessionExpired()
      return { secret, uri: generateURI({ issuer, label: user.username, secret }) }
    },

    async spend(user, code, isSetup) {
      const secret = await secretOf(user)
      if (secret === null) throw sessionExpired()
      if (!/^\d{6}$/.test(code)) throw wrongToken()
      const found = await verify({ secret, token: code, epochTolerance: STEP_SECONDS })
      if (!found.valid || !('timeStep' in found)) throw wrongToken()

      const { rowCount } = await database.query(
        `update identity.users set totp_last_step = $3, updated_on = now(),
           preferred_mfa = case when $4 then 'SOFTWARE_TOKEN_MFA' else preferred_mfa end
         where pool_id = $1 and sub = $2 and (totp_last_step is null or totp_last_step < $3)`,
        [user.pool_id, user.sub, found.timeStep, isSetup],
      )
      if (rowCount !== 1) throw usedToken()
    },
  }
}

/** Six-digit codes by mail or text. Unknown names get a row too, so that they behave like known ones. */
import { randomInt, timingSafeEqual } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { expiredCode, limitExceeded, sentAlready, wrongCode, wrongTextedCode } from '#app/identity/errors.ts'
import type { Secrets } from './secrets.server.ts'

const LIFETIMES = {
  sign_up: '24 hours',
  /** For a sign-up with a name that is taken: no mail carries this code. */
  sign_up_again: '24 hours',
  reset: '1 hour',
  email: '24 hours',
  phone_number: '24 hours',
  sms: '3 minutes',
} as const
export type Purpose = keyof typeof LIFETIMES

const MAX_GUESSES = 5
/** The first code and five more, within an hour. */
const MAX_SENDS = 6

export type Asked = { pool_id: string; username: string; purpose: Purpose }

export type Codes = {
  /** Returns a new code, or null when one was sent less than 30 seconds ago and still works, unless `is_resend` insists. */
  issue(asked: Asked & { is_resend: boolean }): Promise<string | null>
  /** Throws unless this is the code; then uses it up, in the transaction of `on` if given. */
  spend(asked: Asked & { code: string }, on?: PoolClient): Promise<void>
  sweep(): Promise<void>
}

const ISSUE = `
  insert into identity.codes as c (key, digest, sent, expires_at) values ($1, $2, array[now()], now() + $3::interval)
  on conflict (key) do update set digest = excluded.digest, failures = 0, expires_at = excluded.expires_at,
    sent = array(select at from unnest(c.sent) as at where at > now() - interval '1 hour') || now()
  where c.sent[cardinality(c.sent)] <= now() - interval '30 seconds'
    and (select count(*) from unnest(c.sent) as at where at > now() - interval '1 hour') < $4`

const IS_FRESH = `
  select from identity.codes where key = $1 and failures < $2 and expires_at > now()
    and sent[cardinality(sent)] > now() - interval '30 seconds'`

/** Counts before comparing, so that simultaneous guesses cannot all slip through. */
const GUESS = `
  update identity.codes set failures = failures + 1 where key = $1
  returning digest, failures, expires_at > now() as is_alive`

export function createCodes(database: Pool, secrets: Secrets): Codes {
  const keyOf = ({ pool_id, username, purpose }: Asked) =>
    secrets.pseudonym(`code:${purpose}:${pool_id}:${username}`)
  const digestOf = (key: string, code: string) => secrets.digest(`${key}:${code}`)

  return {
    async issue(asked) {
      const key = keyOf(asked)
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const values = [key, digestOf(key, code), LIFETIMES[asked.purpose], MAX_SENDS]
      const { rowCount } = await database.query(ISSUE, values)
      if (rowCount === 1) return code

      const fresh = await database.query(IS_FRESH, [key, MAX_GUESSES])
      if (fresh.rowCount !== 1) throw limitExceeded()
      if (asked.is_resend) throw sentAlready()
      return null
    },

    async spend(asked, on) {
      const key = keyOf(asked)
      const connection = on ?? database
      const { rows } = await connection.query<{ digest: Buffer; failures: number; is_alive: boolean }>(
        GUESS,
        [key],
      )
      const found = rows[0]
      if (!found?.is_alive) throw expiredCode()
      if (found.failures > MAX_GUESSES) throw limitExceeded()
      if (!timingSafeEqual(found.digest, digestOf(key, asked.code)))
        throw asked.purpose === 'sms' ? wrongTextedCode() : wrongCode()

      const spent = await connection.query('delete from identity.codes where key = $1 and digest = $2', [
        key,
        found.digest,
      ])
      if (spent.rowCount !== 1) throw expiredCode()
    },

    async sweep() {
      await database.query(`delete from identity.codes where expires_at < now() - interval '1 hour'`)
    },
  }
}

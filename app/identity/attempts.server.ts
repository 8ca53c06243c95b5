/**
 * How often may somebody guess? Counted before the password is looked at, so that guesses
 * which come at the same moment cannot all slip through, and for names that nobody has as for others.
 */
import type { Pool } from 'pg'
import { limitExceeded, lockedOut } from './errors.ts'
import type { Secrets } from './secrets.server.ts'

export type Attempts = {
  /** Throws when this account or address has to wait; otherwise the attempt counts as failed until it is forgiven. */
  begin(attempt: Attempt): Promise<{ forgive(): Promise<void> }>
  /** Throws when this address has asked for too many messages. */
  countSend(ip: string): Promise<void>
  sweep(): Promise<void>
}

/** Codes are counted apart: who guesses them cannot lock out the owner of the password. */
type Attempt = { pool_id: string; username: string; ip: string; kind?: 'account' | 'code' }

type Limit = { key: string; within: string; most: number; lock: boolean }

/** After the fifth failure each doubles the wait, from 1 second to 15 minutes; a day without one clears the slate. */
const RESERVE = `
  insert into identity.attempts as a (key, failures, recent, updated_on) values ($1, 1, array[now()], now())
  on conflict (key) do update set
    failures = case when a.updated_on < now() - interval '1 day' then 1 else a.failures + 1 end,
    recent = array(select at from unnest(a.recent) as at where at > now() - $2::interval) || now(),
    locked_until = case when $4 and a.failures + 1 >= 5 and a.updated_on >= now() - interval '1 day'
      then now() + least(interval '15 minutes', interval '1 second' * 2 ^ least(a.failures + 1 - 5, 20)) end,
    updated_on = now()
  where (a.locked_until is null or a.locked_until <= now())
    and (select count(*) from unnest(a.recent) as at where at > now() - $2::interval) < $3
  returning a.recent[cardinality(a.recent)] as at`

const FORGIVE_ACCOUNT = 'delete from identity.attempts where key = $1'
const FORGIVE_ADDRESS = 'update identity.attempts set recent = array_remove(recent, $2) where key = $1'

export function createAttempts(database: Pool, secrets: Secrets): Attempts {
  /** When the attempt was noted, to the microsecond, or nothing when there may be none now. */
  async function reserve({ key, within, most, lock }: Limit): Promise<string | undefined> {
    const { rows } = await database.query<{ at: string }>(`with r as (${RESERVE}) select at::text from r`, [
      key,
      within,
      most,
      lock,
    ])
    return rows[0]?.at
  }

  return {
    async begin({ pool_id, username, ip, kind = 'account' }) {
      const address = secrets.pseudonym(`address:${network(ip)}`)
      const account = secrets.pseudonym(`${kind}:${pool_id}:${username}`)

      const at = await reserve({ key: address, within: '10 minutes', most: 30, lock: false })
      if (!at) throw limitExceeded()
      if (!(await reserve({ key: account, within: '15 minutes', most: 10, lock: true })))
        throw kind === 'code' ? limitExceeded() : lockedOut()

      return {
        async forgive() {
          await database.query(FORGIVE_ACCOUNT, [account])
          await database.query(FORGIVE_ADDRESS, [address, at])
        },
      }
    },
    async countSend(ip) {
      const key = secrets.pseudonym(`sends:${network(ip)}`)
      if (!(await reserve({ key, within: '10 minutes', most: 30, lock: false }))) throw limitExceeded()
    },
    async sweep() {
      await database.query(`delete from identity.attempts where updated_on < now() - interval '1 day'`)
    },
  }
}

/** A household or an office has a whole /64 of IPv6 to itself. */
function network(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip.replace(/^::ffff:/i, '')
  const [head = '', tail = ''] = ip.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const gap = ip.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : []
  return [...before, ...gap, ...after].slice(0, 4).join(':')
}

/** Counts guesses before the password is checked, so that simultaneous ones count too, and for unknown names as well. */
import type { Pool } from 'pg'
import { limitExceeded, lockedOut } from './errors.ts'
import type { Secrets } from './factors/secrets.server.ts'

export type Attempts = {
  /** Throws when this account or address has to wait; otherwise the attempt counts as failed until it is forgiven. */
  begin(attempt: Attempt): Promise<Begun>
  /** Throws when this address has asked for too many messages. */
  countSend(ip: string): Promise<void>
  sweep(): Promise<void>
}

type Begun = {
  forgive(): Promise<void>
  /** So many accounts have failed at this address that a wrong guess gets the same answer as one that was not checked. */
  isCrowded: boolean
}

/**
 * Guessed codes are counted apart, so that they cannot lock out the owner of the password. So are guesses of a
 * `factor`, which is asked for only after the password.
 */
type Attempt = { pool_id: string; username: string; ip: string; kind?: 'account' | 'code' | 'factor' }

type Limit = { key: string; within: string; most: number; lock: boolean }

/** From the fifth failure on each doubles the wait, from 1 second to 15 minutes; a day without one resets it. */
const RESERVE = `
  insert into identity.attempts as a (key, failures, recent, updated_on) values ($1, 1, array[now()], now())
  on conflict (key) do update set
    failures = case when a.updated_on < now() - interval '1 day' then 1 else a.failures + 1 end,
    recent = array(select at from unnest(a.recent) as at where at > now() - $2::interval) || now(),
    locked_until = case when $4 and a.failures + 1 >= 5 and a.updated_on >= now() - interval '1 day'
      then now() + least(interval '15 minutes', interval '1 second' * 2 ^ least(a.failures + 1 - 5, 20)) end,
    updated_on = now()
  where (a.locked_until is null or a.locked_until <= now())
    and (select count(*) from unnest(a.recent) as at where at > now() - $2::interval) < $3`

/** An address is limited by how many accounts fail there, so repeated failures of one account stop nobody else. */
const MAX_ACCOUNTS = 30
const LATELY = `(select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(a.accounts) e
  where (e.value #>> '{}')::timestamptz > now() - interval '10 minutes')`
const IS_ONE_TOO_MANY = `(select count(*) from jsonb_object_keys(${LATELY})) >= ${MAX_ACCOUNTS}
  and not ${LATELY} ? $2 and not exists (select from identity.known_addresses k where k.key = $3)`

/** A class of forty in one room signs up at once, and each asks for a second and a third code. */
const MAX_SENDS = 120

/** Past the limit, accounts not known at this address are checked only every ten seconds; known ones always. */
const RESERVE_ADDRESS = `
  insert into identity.attempts as a (key, accounts) values ($1, jsonb_build_object($2::text, now()))
  on conflict (key) do update set
    accounts = jsonb_build_object($2::text, now()) || ${LATELY},
    locked_until = case when ${IS_ONE_TOO_MANY} then now() + interval '10 seconds' else a.locked_until end,
    updated_on = now()
  where a.locked_until is null or a.locked_until <= now() or not (${IS_ONE_TOO_MANY})
  returning exists (select from identity.known_addresses k where k.key = $3) as is_known,
    accounts ->> $2 = to_jsonb(now()) #>> '{}' as is_new,
    (select count(*) from jsonb_object_keys(accounts)) > ${MAX_ACCOUNTS} as is_crowded`

type Reserved = { is_known: boolean; is_new: boolean; is_crowded: boolean }

const FORGIVE_ACCOUNT = 'delete from identity.attempts where key = $1'
const FORGIVE_ADDRESS = 'update identity.attempts set accounts = accounts - $2::text where key = $1'
const KNOW_ADDRESS = `
  insert into identity.known_addresses as k (key) values ($1)
  on conflict (key) do update set seen_on = now() where k.seen_on < now() - interval '1 day'`

export function createAttempts(database: Pool, secrets: Secrets): Attempts {
  async function reserve({ key, within, most, lock }: Limit): Promise<boolean> {
    const { rowCount } = await database.query(RESERVE, [key, within, most, lock])
    return rowCount === 1
  }

  return {
    async begin({ pool_id, username, ip, kind = 'account' }) {
      const address = secrets.pseudonym(`address:${network(ip)}`)
      const everywhere = secrets.pseudonym(`${kind}:${pool_id}:${username}`)
      const known = secrets.pseudonym(`known:${network(ip)}:${pool_id}:${username}`)

      const { rows } = await database.query<Reserved>(RESERVE_ADDRESS, [address, everywhere, known])
      const [reserved] = rows
      if (!reserved) throw limitExceeded()
      // Guesses elsewhere do not lock a person out where they have signed in recently.
      const account = kind === 'account' && reserved.is_known ? known : everywhere
      if (!(await reserve({ key: account, within: '15 minutes', most: 10, lock: true }))) {
        // A locked account is not checked, so the attempt is no failure of the address.
        if (reserved.is_new) await database.query(FORGIVE_ADDRESS, [address, everywhere])
        throw kind === 'account' ? lockedOut() : limitExceeded()
      }

      return {
        isCrowded: reserved.is_crowded,
        async forgive() {
          await database.query(FORGIVE_ACCOUNT, [account])
          await database.query(FORGIVE_ADDRESS, [address, everywhere])
          if (kind === 'account') await database.query(KNOW_ADDRESS, [known])
        },
      }
    },
    async countSend(ip) {
      const key = secrets.pseudonym(`sends:${network(ip)}`)
      if (!(await reserve({ key, within: '10 minutes', most: MAX_SENDS, lock: false }))) throw limitExceeded()
    },
    async sweep() {
      await database.query(`delete from identity.attempts where updated_on < now() - interval '1 day'`)
      await database.query(`delete from identity.known_addresses where seen_on < now() - interval '30 days'`)
    },
  }
}

/** One household or office has a whole IPv6 /64. */
function network(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip.replace(/^::ffff:/i, '')
  const [head = '', tail = ''] = ip.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const gap = ip.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : []
  return [...before, ...gap, ...after].slice(0, 4).join(':')
}

/** Claims messages of all tenants: only here the worker's role reads the send table without a scope. */
import { sql } from 'kysely'
import type { Channel } from '../journeys/channel.ts'
import { writeFact } from '../occurrences/facts.server.ts'
import type { Database, Scope } from '../scope/scope.server.ts'

export type Claim = { tenant_id: string; id: number }

const LEASE_SECONDS = 60
const FIRST_TENANT = '00000000-0000-0000-0000-000000000000'

/** Round robin: tenants after `after` first, one message of each before a second of any; within a tenant by time. */
export async function claimDispatches(
  database: Database,
  owner: string,
  { channel, limit, after = FIRST_TENANT }: { channel: Channel; limit: number; after?: string | undefined },
): Promise<Claim[]> {
  const claims = await claimAfter(database, owner, { channel, limit, after })
  const rest = limit - claims.length
  if (rest === 0 || after === FIRST_TENANT) return claims
  const others = await claimAfter(database, owner, { channel, limit: rest, after: FIRST_TENANT })
  return [...claims, ...others]
}

/** Uses the index only, however many there are; the `case` keeps PostgreSQL from reading all planned rows. */
async function claimAfter(
  database: Database,
  owner: string,
  { channel, limit, after }: { channel: Channel; limit: number; after: string },
): Promise<Claim[]> {
  const firstAfter = (tenant: ReturnType<typeof sql>) => sql`select tenant_id, next_attempt_at from dispatches
    where state = 'planned' and channel = ${channel} and tenant_id > ${tenant}
    order by tenant_id, next_attempt_at limit 1`
  const { rows } = await sql<Claim>`
    with recursive firsts as (
      (${firstAfter(sql`${after}::uuid`)})
      union all
      select next.* from firsts cross join lateral (${firstAfter(sql`firsts.tenant_id`)}) next
    ), due as (
      select tenant_id from firsts where next_attempt_at <= tenant_now(tenant_id) limit ${limit}
    ), candidates as materialized (
      select due.tenant_id, one.id, row_number() over (partition by due.tenant_id order by one.next_attempt_at, one.id) as nth
      from due cross join lateral (
        select id, next_attempt_at from dispatches
        where state = 'planned' and channel = ${channel} and tenant_id = due.tenant_id
          and next_attempt_at <= tenant_now(due.tenant_id)
        order by next_attempt_at, id limit ${limit}
      ) one
    ), picked as (
      select d.tenant_id, d.id, c.nth from candidates c join dispatches d on d.tenant_id = c.tenant_id and d.id = c.id
      where case when d.state = 'planned' then d.next_attempt_at <= tenant_now(d.tenant_id) end
      order by c.nth, c.tenant_id limit ${limit} for update of d skip locked
    ), claimed as (
      update dispatches d set state = 'claimed', lease_owner = ${owner},
        lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
      from picked where d.tenant_id = picked.tenant_id and d.id = picked.id
      returning d.tenant_id, d.id, picked.nth
    )
    select tenant_id, id from claimed order by nth, tenant_id`.execute(database)
  return rows
}

/** Claims messages whose delivery is to be looked up now. Without a result, they are due again after the lease. */
export async function claimLookUps(
  database: Database,
  channels: readonly Channel[],
  limit: number,
): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    with picked as (
      select tenant_id, id from dispatches
      where state = 'unknown' and next_attempt_at <= now() and channel = any(${channels}::text[])
      order by next_attempt_at, id limit ${limit} for update skip locked
    )
    update dispatches d set next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})
    from picked where d.tenant_id = picked.tenant_id and d.id = picked.id
    returning d.tenant_id, d.id`.execute(database)
  return rows
}

/**
 * Recovers messages of a lost sender: claimed ones are due again; those being sent become `unknown`, as only the
 * carrier knows. Skips locked rows. Returns their number.
 */
export async function recoverLeases(database: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    with lapsed as (
      select tenant_id, id, state from dispatches where state in ('claimed', 'sending') and lease_until < now()
      for update skip locked
    )
    update dispatches d set lease_owner = null, lease_until = null,
      state = case when lapsed.state = 'sending' then 'unknown' else 'planned' end,
      next_attempt_at = case when lapsed.state = 'sending' then now() else d.next_attempt_at end
    from lapsed where d.tenant_id = lapsed.tenant_id and d.id = lapsed.id`.execute(database)
  return Number(numAffectedRows ?? 0)
}

/** Claims due messages of one tenant only, by its own clock. */
export async function claimDue({ db }: Scope, owner: string, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with picked as (
      select tenant_id, id from dispatches where state = 'planned' and next_attempt_at <= scope_now()
      order by next_attempt_at, id limit ${limit} for update skip locked
    )
    update dispatches d set state = 'claimed', lease_owner = ${owner},
      lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from picked where d.tenant_id = picked.tenant_id and d.id = picked.id returning d.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** What is due in the tenant and not done: jobs that nobody runs, or work that others hold. */
export async function isBusy({ actor, db }: Scope): Promise<'jobs' | 'others' | null> {
  const { rows } = await sql<{ jobs: boolean; others: boolean }>`
    select coalesce(bool_or(locked_at is null), false) as jobs,
      coalesce(bool_or(locked_at is not null and key <> ${`${actor.tenant_id}:move-clock`}), false)
        or exists (select from dispatches where state in ('claimed', 'sending')) as others
    from graphile_worker.jobs
    where starts_with(key, ${`${actor.tenant_id}:`}) and attempts < max_attempts
      and (locked_at is not null or run_at <= now())`.execute(db)
  const [row] = rows
  return row?.jobs ? 'jobs' : row?.others ? 'others' : null
}

/** Releases all claims whose owner has this prefix; rows are locked in the same order as by edits. */
export async function releaseClaims(database: Database, owner: string): Promise<void> {
  await sql`
    with held as materialized (
      select tenant_id, id from dispatches where state = 'claimed' and starts_with(lease_owner, ${owner})
      order by occurrence_id, id for update
    )
    update dispatches d set state = 'planned', lease_owner = null, lease_until = null
    from held where d.tenant_id = held.tenant_id and d.id = held.id`.execute(database)
}

/** Releases messages that were claimed, or even begun, but certainly not handed to a carrier. */
export async function releaseClaim(
  scope: Scope,
  ids: readonly number[],
  owner: string,
  seconds = 0,
): Promise<void> {
  const { rows } = await sql<{ occurrence_id: number }>`
    with held as materialized (
      select id from dispatches where id = any(${ids}::bigint[]) and state in ('claimed', 'sending')
        and lease_owner = ${owner} order by occurrence_id, id for update
    )
    update dispatches set state = 'planned', lease_owner = null, lease_until = null,
      attempts = case when state = 'sending' then attempts - 1 else attempts end,
      sent_at = case when state = 'sending' and attempts = 1 then null else sent_at end,
      next_attempt_at = greatest(next_attempt_at, scope_now() + make_interval(secs => ${seconds}))
    where id = any(array(select id from held)) returning occurrence_id`.execute(scope.db)
  await writeFact(scope, ...rows.map((row) => row.occurrence_id))
}

/** Milliseconds until each kind of work is due; infinite without any. */
export async function untilDue(database: Database): Promise<Record<Channel | 'look_up' | 'lapsed', number>> {
  // The first of all tenants, and the first of the tenant whose clock may be ahead.
  const firstOf = (channel: Channel) => sql`least(
    (select min(next_attempt_at) from dispatches where state = 'planned' and channel = ${channel}),
    (select min(next_attempt_at) from dispatches where state = 'planned' and channel = ${channel}
      and tenant_id = (select tenant from testing)) - (select ahead from testing))`
  const { rows } = await sql<{ kind: Channel | 'look_up' | 'lapsed'; ms: number | null }>`
    with testing as materialized (select tenant, ahead from testing_clock())
    select kind, (extract(epoch from at - clock_timestamp()) * 1000)::float8 as ms from (values
      ('sms', ${firstOf('sms')}), ('email', ${firstOf('email')}), ('in_app', ${firstOf('in_app')}),
      ('look_up', (select min(next_attempt_at) from dispatches where state = 'unknown')),
      ('lapsed', (select min(lease_until) from dispatches where state in ('claimed', 'sending')))
    ) as first (kind, at)`.execute(database)
  const until = { sms: Infinity, email: Infinity, in_app: Infinity, look_up: Infinity, lapsed: Infinity }
  for (const { kind, ms } of rows) until[kind] = ms ?? Infinity
  return until
}

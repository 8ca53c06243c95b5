/** One fact per occurrence, updated in the same transaction as the occurrence. Facts of archived journeys no longer change. */
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'
import { occurrences, occurrencesOf } from './occurrences.server.ts'

export async function writeFact(scope: Pick<Scope, 'db'>, ...occurrenceIds: number[]): Promise<void> {
  if (occurrenceIds.length === 0) return
  await write(scope, occurrences(occurrenceIds), STANDS)
}

const AT_ONCE = 10_000

/** In batches: one statement takes only some hundred thousand parameters. */
export async function writeFacts(scope: Pick<Scope, 'db'>, ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE)
    await writeFact(scope, ...ids.slice(start, start + AT_ONCE))
}

/** The final facts of these members, while their journey is archived. */
export async function writeLastFacts(scope: Pick<Scope, 'db'>, memberIds: readonly number[]): Promise<void> {
  await write(scope, occurrencesOf(memberIds))
}

export async function writeFactsOfMembers(
  scope: Pick<Scope, 'db'>,
  memberIds: readonly number[],
): Promise<void> {
  await write(scope, occurrencesOf(memberIds), STANDS)
  await sql`
    update fact_occurrence f set exclude_data = m.exclude_data or m.role <> 'learner' from members m
    where m.id = any(${memberIds}::bigint[]) and f.member_id = m.id
      and f.exclude_data <> (m.exclude_data or m.role <> 'learner')`.execute(scope.db)
}

export async function writeFactsOfLift(scope: Pick<Scope, 'db'>, liftId: number): Promise<void> {
  await write(scope, sql`occurrences o where o.lift_id = ${liftId}`, STANDS)
}

/** After a new version, updates whether unsent occurrences have a question, before all facts are derived. */
export async function writeWhatLiftAsks({ db }: Pick<Scope, 'db'>, liftId: number): Promise<void> {
  await sql`
    update fact_occurrence f set asks = jsonb_array_length(v.content -> 'prompts') > 0
    from occurrences o join lift_versions v on v.tenant_id = o.tenant_id and v.lift_id = o.lift_id
      and v.version = o.content_version
    where o.lift_id = ${liftId} and f.occurrence_id = o.id
      and f.asks <> (jsonb_array_length(v.content -> 'prompts') > 0)`.execute(db)
}

/** Recomputes the facts of one journey or of all; returns how many were wrong. */
export async function rederiveFacts(scope: Pick<Scope, 'db'>, journeyId?: number): Promise<number> {
  const which = journeyId ? sql`occurrences o where o.journey_id = ${journeyId}` : sql`occurrences o`
  return write(scope, which, STANDS)
}

export async function listJourneysWithFacts({ db }: Pick<Scope, 'db'>) {
  const { rows } = await sql<{ id: number; facts: number }>`
    select journey_id as id, count(*) as facts from occurrences group by 1 order by 1`.execute(db)
  return rows
}

/**
 * Looks up rows one by one: without statistics of a table that just grew, PostgreSQL would scan all of it. Always in
 * the same order, to avoid deadlocks between concurrent writers.
 */
async function write(
  { db }: Pick<Scope, 'db'>,
  which: RawBuilder<unknown>,
  condition = sql<boolean>`true`,
): Promise<number> {
  // Waits for concurrent writers first: the statement below would not see what they commit after it began.
  await sql`select from (select o.tenant_id, o.id from ${which} order by o.id offset 0) o cross join lateral (
    select from fact_occurrence f where f.tenant_id = o.tenant_id and f.occurrence_id = o.id for update) f`.execute(
    db,
  )
  const { numAffectedRows } = await sql`
    with o as materialized (select o.* from ${which} order by o.id)
    insert into fact_occurrence as f (tenant_id, occurrence_id, sub_tenant_id, journey_id, lift_id, member_id, user_id,
      exclude_data, left_at, required, state, delivery, due_at, attempted_at, accepted_at, delivered_at, opened_at,
      responded_at, completed_at, closes_at, asks)
    select o.tenant_id, o.id, j.sub_tenant_id, o.journey_id, o.lift_id, o.member_id, m.user_id,
      m.exclude_data or m.role <> 'learner', m.left_at, l.required, o.state,
      case
        when d.accepted_at is not null then 'accepted'
        when d.unknown then 'unknown'
        when d.waits then 'pending'
        when d.failed then 'failed'
        when d.expired or o.state = 'expired' then 'expired'
        when d.suppressed or o.state = 'suppressed' then 'suppressed'
        else 'pending'
      end,
      o.due_at, d.attempted_at, d.accepted_at, d.delivered_at, o.opened_at, o.first_response_at, o.completed_at, o.closes_at,
      coalesce(jsonb_array_length(v.content -> 'prompts') > 0, true)
    from o
      cross join lateral (select * from members where tenant_id = o.tenant_id and id = o.member_id offset 0) m
      cross join lateral (select * from journeys where tenant_id = o.tenant_id and id = o.journey_id offset 0) j
      cross join lateral (select * from lifts where tenant_id = o.tenant_id and id = o.lift_id offset 0) l
      left join lateral (select * from lift_versions
        where tenant_id = o.tenant_id and lift_id = o.lift_id and version = o.content_version offset 0) v on true
      cross join lateral (
        select min(x.sent_at) as attempted_at, min(x.accepted_at) as accepted_at, min(x.delivered_at) as delivered_at,
          coalesce(bool_or(x.state in ('planned', 'claimed', 'sending')), false) as waits,
          coalesce(bool_or(x.state = 'unknown'), false) as unknown,
          coalesce(bool_or(x.state in ('failed', 'undelivered')), false) as failed,
          coalesce(bool_or(x.state = 'expired'), false) as expired,
          coalesce(bool_or(x.state = 'suppressed'), false) as suppressed
        from dispatches x where x.tenant_id = o.tenant_id and x.occurrence_id = o.id and x.kind <> 'test'
      ) d
    where ${condition}
    on conflict (tenant_id, occurrence_id) do update set ${sql.join(KEPT.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}
    where ${rowOf('f')} is distinct from ${rowOf('excluded')}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The columns of a fact that can change. */
const KEPT = [
  ...['sub_tenant_id', 'exclude_data', 'left_at', 'required', 'state', 'delivery', 'due_at', 'attempted_at'],
  ...['accepted_at', 'delivered_at', 'opened_at', 'responded_at', 'completed_at', 'closes_at', 'asks'],
]
const rowOf = (table: string) => sql`(${sql.join(KEPT.map((name) => sql.ref(`${table}.${name}`)))})`

/** Excludes facts of archived journeys that have been written already. */
const STANDS = sql<boolean>`(j.status <> 'archived' or not exists (select from fact_occurrence k
  where k.tenant_id = o.tenant_id and k.occurrence_id = o.id))`

/** One fact per occurrence, rewritten in the transaction that changes it. */
import { sql } from 'kysely'
import type { Scope } from '../scope.server.ts'
import { turns, turnsOf } from './occurrences.server.ts'

export async function writeFact(scope: Pick<Scope, 'db'>, ...occurrenceIds: number[]): Promise<void> {
  if (occurrenceIds.length === 0) return
  await write(scope, turns(occurrenceIds))
}

const AT_ONCE = 10_000

/** The same for as many as there are: a call takes only some hundred thousand arguments. */
export async function writeFacts(scope: Pick<Scope, 'db'>, ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE)
    await writeFact(scope, ...ids.slice(start, start + AT_ONCE))
}

/** Members left, came back, or are no longer counted. */
export async function writeFactsOfMembers(
  scope: Pick<Scope, 'db'>,
  memberIds: readonly number[],
): Promise<void> {
  await write(scope, turnsOf(memberIds))
}

/** Whether a lift is required is part of each of its facts. */
export async function writeFactsOfLift(scope: Pick<Scope, 'db'>, liftId: number): Promise<void> {
  await write(scope, sql`occurrences o where o.lift_id = ${liftId}`)
}

/** Derives every fact of the scope again; the rows are the same ones. */
export async function rederiveFacts(scope: Pick<Scope, 'db'>): Promise<void> {
  await scope.db.deleteFrom('fact_occurrence').execute()
  await write(scope, sql`occurrences o`)
}

/**
 * The turns first, and one by one where they are named: without figures about a table that just grew Postgres would
 * look through all of it.
 */
async function write({ db }: Pick<Scope, 'db'>, which: ReturnType<typeof sql>): Promise<void> {
  await sql`
    with o as materialized (select o.* from ${which})
    insert into fact_occurrence as f (tenant_id, occurrence_id, sub_tenant_id, journey_id, lift_id, member_id, user_id,
      exclude_data, left_at, required, state, delivery, due_at, attempted_at, accepted_at, delivered_at, opened_at,
      responded_at, completed_at, closes_at)
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
      o.due_at, d.attempted_at, d.accepted_at, d.delivered_at, o.opened_at, o.first_response_at, o.completed_at, o.closes_at
    from o
      join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
      join journeys j on j.tenant_id = o.tenant_id and j.id = o.journey_id
      join lifts l on l.tenant_id = o.tenant_id and l.id = o.lift_id
      cross join lateral (
        select min(x.sent_at) as attempted_at, min(x.accepted_at) as accepted_at, min(x.delivered_at) as delivered_at,
          coalesce(bool_or(x.state in ('planned', 'claimed', 'sending')), false) as waits,
          coalesce(bool_or(x.state = 'unknown'), false) as unknown,
          coalesce(bool_or(x.state in ('failed', 'undelivered')), false) as failed,
          coalesce(bool_or(x.state = 'expired'), false) as expired,
          coalesce(bool_or(x.state = 'suppressed'), false) as suppressed
        from dispatches x where x.tenant_id = o.tenant_id and x.occurrence_id = o.id and x.kind <> 'test'
      ) d
    on conflict (tenant_id, occurrence_id) do update set
      sub_tenant_id = excluded.sub_tenant_id, exclude_data = excluded.exclude_data, left_at = excluded.left_at,
      required = excluded.required, state = excluded.state, delivery = excluded.delivery, due_at = excluded.due_at,
      attempted_at = excluded.attempted_at, accepted_at = excluded.accepted_at, delivered_at = excluded.delivered_at,
      opened_at = excluded.opened_at, responded_at = excluded.responded_at, completed_at = excluded.completed_at,
      closes_at = excluded.closes_at`.execute(db)
}

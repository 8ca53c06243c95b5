/** Resending messages that failed, or that people report as not arrived, together with their repeats. */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'
import { writeFacts } from './facts.server.ts'

/**
 * Resends on the same channel, now. The database (`refuse_resend`) checks whether one of the chain has left already.
 */
export async function sendAgain({ db }: Scope, ids: readonly number[]): Promise<void> {
  await sql`
    insert into dispatches (tenant_id, occurrence_id, kind, seq, channel, resend_of, due_at, next_attempt_at)
    select d.tenant_id, d.occurrence_id, d.kind,
      (select max(x.seq) from dispatches x where x.tenant_id = d.tenant_id and x.occurrence_id = d.occurrence_id
        and x.kind = d.kind) + row_number() over (partition by d.occurrence_id, d.kind order by d.id),
      d.channel, coalesce(d.resend_of, d.id), scope_now(), scope_now()
    from dispatches d where d.id = any(${ids}::bigint[])
    on conflict do nothing`.execute(db)
}

/** The message `d` has arrived, or still may. */
export const MAY_ARRIVE = sql<boolean>`d.state in ('planned', 'claimed', 'sending', 'unknown', 'accepted', 'delivered')`

/** The message `d` failed, or its retry or its fallback channel came too late. */
const IS_GIVEN_UP = sql<boolean>`(d.state in ('failed', 'undelivered') or d.error_code in ('too_late', 'restored')
  and exists (select from dispatches tried where tried.tenant_id = d.tenant_id
    and tried.occurrence_id = d.occurrence_id and tried.kind = 'lift' and tried.sent_at is not null))`

/** Every message of the occurrence `o` has failed, nobody has seen it, and none is being sent. */
export const HAS_FAILED = sql<boolean>`(o.opened_at is null and o.state in ('planned', 'held', 'due', 'sent')
  and exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    and d.kind = 'lift' and ${IS_GIVEN_UP})
  and not exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    and d.kind = 'lift' and ${MAY_ARRIVE}))`

export async function hasFailed({ db }: Scope, occurrenceId: number): Promise<boolean> {
  const { rows } =
    await sql`select from occurrences o where o.id = ${occurrenceId} and ${HAS_FAILED}`.execute(db)
  return rows.length > 0
}

/** Sends the current lift to those of the members whom it failed to reach; returns their number. */
export async function sendFailedAgain(
  scope: Scope,
  lift: { id: number; version: number; closes_after_hours: number | null },
  memberIds: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ id: number; last: number }>`
    update occurrences o set by_hand = true, content_version = ${lift.version},
      state = case when o.state = 'held' then 'due' else o.state end,
      closes_at = scope_now() + ${lift.closes_after_hours}::int * interval '1 hour'
    from (select o.id as occurrence_id, (select max(d.id) from dispatches d where d.tenant_id = o.tenant_id
        and d.occurrence_id = o.id and d.kind = 'lift' and ${IS_GIVEN_UP}) as last
      from occurrences o where o.lift_id = ${lift.id} and o.member_id = any(${memberIds}::bigint[]) and ${HAS_FAILED}
      order by o.id for no key update of o) failed
    where o.id = failed.occurrence_id returning o.id, failed.last`.execute(scope.db)
  await sendAgain(
    scope,
    rows.map((row) => row.last),
  )
  await writeFacts(
    scope,
    rows.map((row) => row.id),
  )
  return rows.length
}

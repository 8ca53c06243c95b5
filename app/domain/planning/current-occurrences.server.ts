import { sql } from 'kysely'
import { IS_SETTLED } from '../occurrences/settled.server.ts'
import type { Scope } from '../scope/scope.server.ts'

export type StandingOccurrence = {
  lift_id: number
  member_id: number
  planned_local: string | null
  due_at: Date | null
  zone: string
  closes_at: Date | null
  state: string
  channel: string | null
  send_at: Date | null
  shifted: string[]
  /** A message has left or somebody saw the lift: edits do not move it. */
  is_settled: boolean
}

type Which = { memberIds?: readonly number[]; liftIds?: readonly number[] }

export async function listStanding(
  { db }: Scope,
  journeyId: number,
  { memberIds, liftIds }: Which,
): Promise<StandingOccurrence[]> {
  const { rows } = await sql<StandingOccurrence>`
    select o.lift_id, o.member_id, to_char(o.planned_local, 'YYYY-MM-DD"T"HH24:MI') as planned_local, o.due_at,
      o.zone, o.closes_at, o.state, d.channel, d.due_at as send_at,
      o.shifted, ${IS_SETTLED} as is_settled
    from occurrences o
      left join lateral (
        select (array_agg(x.channel order by x.id desc))[1] as channel, max(x.due_at) as due_at
        from dispatches x where x.tenant_id = o.tenant_id and x.occurrence_id = o.id and x.kind = 'lift'
      ) d on true
    where o.journey_id = ${journeyId}
      and (${memberIds ?? null}::bigint[] is null or o.member_id = any(${memberIds ?? null}::bigint[]))
      and (${liftIds ?? null}::bigint[] is null or o.lift_id = any(${liftIds ?? null}::bigint[]))`.execute(db)
  return rows
}

/**
 * Replans after a change of time zone or quiet hours: of one person, of all without a zone of their own, of all in
 * some zones, or of everybody.
 */
import { sql } from 'kysely'
import { lockJourneys } from '../../journeys/journeys.server.ts'
import { nowIn } from '../../scope/clock.server.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { planForAll } from './plan-runs.server.ts'

export type Moved = {
  user_id?: number | undefined
  sub_tenant_id?: string | undefined
  everybody?: boolean | undefined
  /** Zones whose rules have changed. */
  zones?: readonly string[] | undefined
}

/** The journeys of these people: each is replanned in a transaction of its own, so that none waits for two. */
export async function listMoved(scope: Scope, moved: Moved): Promise<number[]> {
  return (await listConcerned(scope, moved)).map((one) => one.journey_id)
}

/** Returns the number of people affected. */
export async function replanMoved(scope: Scope, moved: Moved, journeyId: number): Promise<number> {
  await lockJourneys(scope, [journeyId])
  const [found] = await listConcerned(scope, moved, journeyId)
  if (!found) return 0
  const task = { kind: 'move', moment: nowIn(scope), liftIds: [] } as const
  await planForAll(scope, journeyId, task, { lifts: found.lifts, memberIds: found.member_ids })
  return found.member_ids.length
}

type Concerned = { journey_id: number; lifts: number; member_ids: number[] }

async function listConcerned({ db }: Scope, moved: Moved, journeyId: number | null = null) {
  const zones = moved.zones ?? null
  const own = moved.user_id ?? null
  const { rows } = await sql<Concerned>`
    select j.id as journey_id, j.lift_count as lifts, array_agg(m.id order by m.id) as member_ids
    from journeys j
      join members m on m.tenant_id = j.tenant_id and m.journey_id = j.id
      join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
      join tenants t on t.id = j.tenant_id
      left join sub_tenants s on s.tenant_id = j.tenant_id and s.id = j.sub_tenant_id
    where (${journeyId}::bigint is null or j.id = ${journeyId}::bigint)
      and j.status in ('scheduled', 'active', 'paused') and m.role = 'learner' and m.state in ('invited', 'active')
      and (${moved.everybody ?? false} or u.id = ${own}::bigint or ${zones}::text[] is not null
        or (${own}::bigint is null and u.timezone is null))
      and (${moved.sub_tenant_id ?? null}::uuid is null or j.sub_tenant_id = ${moved.sub_tenant_id ?? null}::uuid)
      and exists (select from occurrences o where o.tenant_id = m.tenant_id and o.member_id = m.id
        and o.due_at > scope_now() and o.state in ('planned', 'held') and (${zones}::text[] is null
          or o.zone = any(${zones}::text[]) or coalesce(u.timezone, s.timezone, t.timezone) = any(${zones}::text[])))
    group by 1, 2 order by 1`.execute(db)
  return rows
}

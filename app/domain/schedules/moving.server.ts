/** People moved to another zone, or may rest longer: what is to come is planned anew for them. */
import { sql } from 'kysely'
import type { Scope } from '../scope.server.ts'
import { listLearners } from './learners.server.ts'
import { readPlannedJourney, readPlannedLifts } from './planned-journey.server.ts'
import { planTurns, unplan } from './planning.server.ts'
import { IS_SETTLED } from './settled.server.ts'

/** Whose clock changed: one person's, that of all who have none of their own, or everybody's rest. */
export type Moved = { user_id?: number | undefined; sub_tenant_id?: string | undefined; everybody?: boolean }

/** Nothing is lost by a move: what would be past on the new clock comes now, then one a day. */
export async function replanMoved(scope: Scope, moved: Moved): Promise<number> {
  const waiting = await listWaiting(scope, moved)
  for (const [journeyId, turns] of Map.groupBy(waiting, (turn) => turn.journey_id)) {
    const journey = await readPlannedJourney(scope, journeyId)
    const memberIds = [...new Set(turns.map((turn) => turn.member_id))]
    const learners = new Map((await listLearners(scope, journey, memberIds)).map((one) => [one.id, one]))
    for (const [ids, alike] of Map.groupBy(turns, (turn) => turn.lift_ids.join())) {
      const liftIds = ids.split(',').map(Number)
      const people = alike.flatMap((turn) => learners.get(turn.member_id) ?? [])
      const lifts = await readPlannedLifts(scope, liftIds)
      await unplan(
        scope,
        lifts.map((lift) => lift.id),
        people.map((one) => one.id),
      )
      await planTurns(scope, journey, lifts, people, 'one_a_day')
    }
  }
  return waiting.length
}

type Waiting = { journey_id: number; member_id: number; lift_ids: number[] }

/** The turns to come of the people concerned; what is due already only waits for its message. */
async function listWaiting({ db }: Scope, moved: Moved): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select j.id as journey_id, m.id as member_id, array_agg(o.lift_id order by o.lift_id) as lift_ids
    from journeys j
      join members m on m.tenant_id = j.tenant_id and m.journey_id = j.id
      join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
      join occurrences o on o.tenant_id = m.tenant_id and o.member_id = m.id
    where j.status in ('scheduled', 'active', 'paused') and m.role = 'learner' and m.state in ('invited', 'active')
      and (${moved.everybody ?? false} or u.id = ${moved.user_id ?? null}::bigint
        or (${moved.user_id ?? null}::bigint is null and u.timezone is null))
      and (${moved.sub_tenant_id ?? null}::uuid is null or j.sub_tenant_id = ${moved.sub_tenant_id ?? null}::uuid)
      and o.due_at > now() and o.state in ('planned', 'held') and not ${IS_SETTLED}
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

/** Plans the lifts that returning people missed in running journeys, as for late joiners. */
import { sql } from 'kysely'
import { lockJourneys } from '../../journeys/journeys.server.ts'
import { nowIn } from '../../scope/clock.server.ts'
import type { Scope } from '../../scope/scope.server.ts'
import type { PastPolicy } from '../participant-plan.ts'
import { planForAll } from './plan-runs.server.ts'

type Missing = { journey_id: number; past: PastPolicy; member_id: number; lift_ids: number[] }

/** Their journeys: each is planned in a transaction of its own, so that none waits for two. */
export async function listMissingIn(scope: Scope, userId: number): Promise<number[]> {
  return (await listMissing(scope, userId)).map((one) => one.journey_id)
}

/** Returns the number of people. */
export async function planMissing(scope: Scope, userId: number, journeyId: number): Promise<number> {
  await lockJourneys(scope, [journeyId])
  const [found] = await listMissing(scope, userId, journeyId)
  if (!found) return 0
  const { past, member_id, lift_ids } = found
  const task = { kind: 'late', past, liftIds: lift_ids, moment: nowIn(scope) } as const
  await planForAll(scope, journeyId, task, { lifts: lift_ids.length, memberIds: [member_id] })
  return 1
}

async function listMissing({ db }: Scope, userId: number, journeyId: number | null = null) {
  const { rows } = await sql<Missing>`
    select j.id as journey_id, j.late_joiners as past, m.id as member_id, array_agg(l.id order by l.id) as lift_ids
    from members m
      join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
      join journeys j on j.tenant_id = m.tenant_id and j.id = m.journey_id
      join lifts l on l.tenant_id = j.tenant_id and l.journey_id = j.id
    where m.user_id = ${userId} and (${journeyId}::bigint is null or j.id = ${journeyId}::bigint)
      and m.role = 'learner' and m.state in ('invited', 'active')
      and u.activation_status <> 'disabled' and j.status in ('scheduled', 'active', 'paused') and l.status = 'ready'
      and not exists (select from occurrences o
        where o.tenant_id = l.tenant_id and o.lift_id = l.id and o.member_id = m.id)
    group by 1, 2, 3 order by 1`.execute(db)
  return rows
}

/** People moved to another zone, or may rest longer: what is to come is planned anew for them. */
import { sql } from 'kysely'
import type { Scope } from '../scope.server.ts'
import { listLearners } from './learners.server.ts'
import { readPlannedLifts, type StoredJourney } from './planned-journey.server.ts'
import { planTurns, unplan } from './planning.server.ts'
import { IS_SETTLED } from './settled.server.ts'
import { turnsOf } from './turns.server.ts'

/** Nothing is lost by a move: what would be past on the new clock comes now, then one a day. Returns for how many. */
export async function replanToCome(
  scope: Scope,
  journey: StoredJourney,
  memberIds: readonly number[],
): Promise<number> {
  const waiting = await listWaiting(scope, memberIds)
  const learners = new Map((await listLearners(scope, journey, memberIds)).map((one) => [one.id, one]))
  for (const [ids, alike] of Map.groupBy(waiting, (turn) => turn.lift_ids.join())) {
    const people = alike.flatMap((turn) => learners.get(turn.member_id) ?? [])
    const lifts = await readPlannedLifts(scope, ids.split(',').map(Number))
    await unplan(
      scope,
      lifts.map((lift) => lift.id),
      people.map((one) => one.id),
    )
    await planTurns(scope, journey, lifts, people, 'one_a_day')
  }
  return waiting.length
}

/** The turns to come; what is due already only waits for its message. */
async function listWaiting({ db }: Scope, memberIds: readonly number[]) {
  const { rows } = await sql<{ member_id: number; lift_ids: number[] }>`
    select o.member_id, array_agg(o.lift_id order by o.lift_id) as lift_ids from ${turnsOf(memberIds)}
    where o.due_at > now() and o.state in ('planned', 'held') and not ${IS_SETTLED}
    group by 1 order by 1`.execute(db)
  return rows
}

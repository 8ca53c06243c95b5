/** Replans the remaining occurrences of people after a change of time zone or quiet hours. */
import { sql } from 'kysely'
import { findOccurrences, occurrencesOf } from '../../occurrences/occurrences.server.ts'
import { IS_SETTLED, lockDispatches } from '../../occurrences/settled.server.ts'
import { nowIn } from '../../scope/clock.server.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { listStanding } from '../current-occurrences.server.ts'
import { type Learner, listLearners } from '../learners.server.ts'
import { lockAwaited } from '../lock-awaited.server.ts'
import { draftOccurrences, type PlannedLift, planOccurrences, unplan } from '../plan.server.ts'
import { readPlannedLifts, type StoredJourney } from '../planned-journey.server.ts'

/** Nothing is skipped: a lift that would be past on the new clock comes now, then one a day. Returns the number of people. */
export async function replanToCome(
  scope: Scope,
  journey: StoredJourney,
  memberIds: readonly number[],
  before?: Date,
): Promise<number> {
  const learners = await listLearners(scope, journey, memberIds, { withDisabled: true })
  // Locks all messages before the first group, in the order in which senders lock them.
  await lockDispatches(scope, await findOccurrences(scope, memberIds))
  const waiting = await listWaiting(scope, memberIds)
  await lockAwaitedBy(scope, waiting, memberIds)
  let moved = 0
  for (const [ids, people] of groupByLifts(learners, waiting)) {
    const all = await readPlannedLifts(scope, ids.split(',').map(Number))
    const lifts = await listMoving(scope, journey, all, people, before)
    if (lifts.length === 0) continue
    moved += people.length
    await unplan(
      scope,
      lifts.map((lift) => lift.id),
      people.map((one) => one.id),
    )
    await planOccurrences(scope, journey, lifts, people, { past: 'one_a_day', before })
  }
  return moved
}

/** Replans lifts that waited for one that these people do not get: they wait for the one before it, or come now. */
export async function replanFollowers(
  scope: Scope,
  journey: StoredJourney,
  memberIds: readonly number[],
): Promise<void> {
  const learners = await listLearners(scope, journey, memberIds, { withDisabled: true })
  const { rows } = await sql<Waiting>`
    select o.member_id, array_agg(o.lift_id order by o.lift_id) as lift_ids from ${occurrencesOf(memberIds)}
      join lifts l on l.tenant_id = o.tenant_id and l.id = o.lift_id
    where o.due_at is null and l.schedule ->> 'kind' <> 'manual' and not ${IS_SETTLED}
    group by 1 order by 1`.execute(scope.db)
  await lockAwaitedBy(scope, rows, memberIds)
  for (const [ids, people] of groupByLifts(learners, rows)) {
    const lifts = await readPlannedLifts(scope, ids.split(',').map(Number))
    await unplan(
      scope,
      lifts.map((lift) => lift.id),
      people.map((one) => one.id),
    )
    await planOccurrences(scope, journey, lifts, people, { past: 'one_a_day' })
  }
}

/** The lifts that would move for one of these people; others stay as they are. */
async function listMoving(
  scope: Scope,
  journey: StoredJourney,
  lifts: readonly PlannedLift[],
  people: readonly Learner[],
  before: Date | undefined,
): Promise<PlannedLift[]> {
  const terms = { past: 'one_a_day', now: nowIn(scope), before } as const
  const drafts = await draftOccurrences(scope, journey, lifts, people, terms)
  const standing = await listStanding(scope, journey.id, {
    memberIds: people.map((one) => one.id),
    liftIds: lifts.map((lift) => lift.id),
  })
  const stands = new Map(
    standing.map((occurrence) => [`${occurrence.lift_id} ${occurrence.member_id}`, occurrence]),
  )
  const moving = new Set<number>()
  for (const { lift, learner, plan } of drafts) {
    const occurrence = stands.get(`${lift.id} ${learner.id}`)
    if (occurrence?.zone !== plan.zone || occurrence.due_at?.getTime() !== plan.due_at?.getTime())
      moving.add(lift.id)
  }
  return lifts.filter((lift) => moving.has(lift.id))
}

type Waiting = { member_id: number; lift_ids: number[] }

async function lockAwaitedBy(
  scope: Scope,
  waiting: readonly Waiting[],
  memberIds: readonly number[],
): Promise<void> {
  const ids = new Set(waiting.flatMap(({ lift_ids }) => lift_ids))
  await lockAwaited(scope, await readPlannedLifts(scope, [...ids]), memberIds)
}

/** Groups people by their remaining lifts. */
function groupByLifts(
  learners: readonly Learner[],
  rows: readonly Waiting[],
): ReadonlyMap<string, Learner[]> {
  const waiting = new Map(rows.map((occurrence) => [occurrence.member_id, occurrence.lift_ids.join()]))
  return Map.groupBy(
    learners.filter((one) => waiting.has(one.id)),
    (one) => waiting.get(one.id) ?? '',
  )
}

/** Future occurrences; those already due only wait for their message. */
async function listWaiting({ db }: Scope, memberIds: readonly number[]) {
  const { rows } = await sql<Waiting>`
    select o.member_id, array_agg(o.lift_id order by o.lift_id) as lift_ids from ${occurrencesOf(memberIds)}
    where o.due_at > scope_now() and o.state in ('planned', 'held') and not ${IS_SETTLED}
    group by 1 order by 1`.execute(db)
  return rows
}

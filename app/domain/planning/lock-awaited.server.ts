/** Lifts that wait for the completion of another one are planned before or after that completion, never concurrently with it. */
import { sql } from 'kysely'
import type { ScheduleRule } from '../lifts/schedule-rule.ts'
import { findOccurrences, occurrencesOf } from '../occurrences/occurrences.server.ts'
import { lockDispatches } from '../occurrences/settled.server.ts'
import type { Scope } from '../scope/scope.server.ts'

type Scheduled = readonly { schedule: ScheduleRule }[]

const awaitsAnother = ({ schedule: rule }: Scheduled[number]): boolean =>
  rule.kind === 'after_lift' || (rule.kind === 'offset' && rule.from === 'previous_lift_completed')

/**
 * So a completion always finds the lifts that wait for it. Take this lock before any other of these members: a
 * completion locks its own occurrence first, then the waiting ones, which have no day yet.
 */
export async function lockAwaited(
  scope: Scope,
  lifts: Scheduled,
  memberIds: readonly number[],
): Promise<void> {
  if (lifts.some(awaitsAnother)) await lockOccurrences(scope, memberIds, [], true)
}

/**
 * Whatever planning these lifts of these members anew can touch, before any of it is written: messages, occurrences, then
 * the learners whose facts change. An answer and a receipt lock theirs in this order.
 */
export async function lockReplanned(
  scope: Scope,
  liftIds: readonly number[],
  lifts: Scheduled,
  memberIds: readonly number[],
): Promise<void> {
  await lockDispatches(scope, await findOccurrences(scope, memberIds, liftIds))
  await lockOccurrences(scope, memberIds, liftIds, lifts.some(awaitsAnother))
  await sql`select from fact_learner where member_id = any(${memberIds}::bigint[])
    order by member_id for update`.execute(scope.db)
}

async function lockOccurrences(
  { db }: Scope,
  memberIds: readonly number[],
  liftIds: readonly number[],
  isAwaited: boolean,
): Promise<void> {
  await sql`select from occurrences where id = any(array(
      select o.id from ${occurrencesOf(memberIds)} where o.lift_id = any(${liftIds}::bigint[])
        or (${isAwaited} and o.due_at is not null and o.completed_at is null)))
    order by id for no key update`.execute(db)
}

/** Lifts that wait for another one to be completed are planned before somebody completes it, or after, never beside. */
import { sql } from 'kysely'
import type { ScheduleRule } from '../lifts/schedule-rule.ts'
import { occurrencesOf } from '../occurrences/occurrences.server.ts'
import type { Scope } from '../scope/scope.server.ts'

const awaitsAnother = (rule: ScheduleRule): boolean =>
  rule.kind === 'after_lift' || (rule.kind === 'offset' && rule.from === 'previous_lift_completed')

/**
 * Whoever completes a lift then finds what waits for it. Before anything else of theirs is locked: who completes one
 * goes on to those that wait, which have no day yet.
 */
export async function lockAwaited(
  { db }: Scope,
  lifts: readonly { schedule: ScheduleRule }[],
  memberIds: readonly number[],
): Promise<void> {
  if (!lifts.some(({ schedule }) => awaitsAnother(schedule))) return
  await sql`select from occurrences where id = any(array(
      select o.id from ${occurrencesOf(memberIds)} where o.due_at is not null and o.completed_at is null))
    order by id for share`.execute(db)
}

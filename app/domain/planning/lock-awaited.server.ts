/** Lifts that wait for the completion of another one are planned before or after that completion, never concurrently with it. */
import { sql } from 'kysely'
import type { ScheduleRule } from '../lifts/schedule-rule.ts'
import { occurrencesOf } from '../occurrences/occurrences.server.ts'
import type { Scope } from '../scope/scope.server.ts'

const awaitsAnother = (rule: ScheduleRule): boolean =>
  rule.kind === 'after_lift' || (rule.kind === 'offset' && rule.from === 'previous_lift_completed')

/**
 * So a completion always finds the lifts that wait for it. Take this lock before any other of these members: a
 * completion locks its own occurrence first, then the waiting ones, which have no day yet.
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

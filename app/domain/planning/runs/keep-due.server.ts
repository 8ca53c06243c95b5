/** Occurrences that fell due before an edit and only wait: for the morning, the end of a pause, or a person. */
import { sql } from 'kysely'
import { writeFacts } from '../../occurrences/facts.server.ts'
import type { Scope } from '../../scope/scope.server.ts'
import type { Learner } from '../learners.server.ts'
import { draftOccurrences, type PlannedJourney, type PlannedLift } from '../plan.server.ts'

/** Keeps them, unless their rule now names a later time; their closing time follows the edit. Returns their ids. */
export async function keepWhatCame(
  scope: Scope,
  journey: PlannedJourney,
  lifts: readonly PlannedLift[],
  learners: readonly Learner[],
  { now, before }: { now: Date; before?: Date | undefined },
): Promise<ReadonlySet<number>> {
  const terms = { past: 'skip', now, before } as const
  const pairs = (await draftOccurrences(scope, journey, lifts, learners, terms)).flatMap((occurrence) =>
    occurrence.outcome === 'stays' ? [{ lift_id: occurrence.lift.id, member_id: occurrence.learner.id }] : [],
  )
  if (pairs.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    update occurrences o set closes_at = o.due_at + l.closes_after_hours * interval '1 hour'
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as stays (lift_id bigint, member_id bigint)
      join lifts l on l.id = stays.lift_id
    where o.tenant_id = l.tenant_id and o.lift_id = stays.lift_id and o.member_id = stays.member_id
      and o.member_id = any(${learners.map(({ id }) => id)}::bigint[])
    returning o.id`.execute(scope.db)
  const ids = rows.map((row) => row.id)
  await writeFacts(scope, ids)
  return new Set(ids)
}

/** The consequences of a change of a lift or its questions. */
import { sql } from 'kysely'
import type { Journey } from '../journeys/journey.ts'
import { isUnderWay } from '../journeys/journey-status.ts'
import { getLift, listLifts } from '../lifts/lifts.server.ts'
import { keepVersion } from '../lifts/versions.server.ts'
import { stopSenders } from '../occurrences/settled.server.ts'
import type { Changed } from '../planning/preview/draft-changes.ts'
import { replanChanged } from '../planning/replan.server.ts'
import { lockPlannedAtOnce } from '../planning/runs/plan-runs.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'

/** Marks a lift as changed after a question was added, changed or removed. */
export async function touchLift(scope: Scope, journey: Journey, liftId: number): Promise<void> {
  await scope.db
    .updateTable('lifts')
    .set({ version: sql`version + 1`, lock_version: sql`lock_version + 1`, updated_on: nowIn(scope) })
    .where('id', '=', liftId)
    .execute()
  await afterChange(scope, journey, liftId)
}

/** In a launched journey a change creates a new version, for everybody whose message has not left. */
export async function afterChange(
  scope: Scope,
  journey: Journey,
  liftId: number,
  moved?: Pick<Changed, 'changed' | 'following'>,
): Promise<void> {
  if (journey.status === 'draft') return
  if (moved && moved.changed.size > 0 && isUnderWay(journey.status)) {
    // Locks the journey before its messages, as senders do; and what belongs to all these lifts before any is written.
    await stopSenders(scope, journey.id)
    await lockPlannedAtOnce(scope, journey.id, [...moved.changed])
  }
  await keepVersion(scope, await getLift(scope, liftId))
  if (moved && isUnderWay(journey.status))
    await replanChanged(scope, journey, await listLifts(scope, journey.id), moved)
  await scope.db
    .updateTable('journeys')
    .set({ content_version: sql`content_version + 1` })
    .where('id', '=', journey.id)
    .execute()
}

/** The turns of a journey that have not left: held, released, taken back. */
import { type RawBuilder, sql } from 'kysely'
import { writeFacts } from '../analytics/facts.server.ts'
import type { Journey } from '../journeys/journey.ts'
import type { Scope } from '../scope.server.ts'
import { readCircumstances } from './circumstances.server.ts'
import { listLearners } from './learners.server.ts'
import { wakeSender } from './planning.server.ts'
import { type Resumed, type ResumeMode, resumeTurns, type WaitingTurn } from './resume.ts'
import { lockMessages, NEVER } from './settled.server.ts'

/** Nothing about the turn has left or is leaving. */
const UNSENT = sql<boolean>`o.state in ('planned', 'due', 'held') and not exists (select from dispatches d
  where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    and (d.sent_at is not null or d.state in ('sending', 'unknown') or d.error_code = 'todo_only'))`

export async function holdWaiting(scope: Scope, journeyId: number): Promise<number> {
  await lockMessages(scope, sql<boolean>`o.journey_id = ${journeyId}`)
  const { rows } = await sql<{ id: number }>`
    update occurrences o set state = 'held' where o.journey_id = ${journeyId} and ${UNSENT} and o.state <> 'held'
    returning o.id`.execute(scope.db)
  await sql`
    update dispatches d set next_attempt_at = ${NEVER}, state = 'planned', lease_owner = null, lease_until = null
    from occurrences o where o.tenant_id = d.tenant_id and o.id = d.occurrence_id and o.journey_id = ${journeyId}
      and d.state in ('planned', 'claimed')`.execute(scope.db)
  await writeFacts(
    scope,
    rows.map((row) => row.id),
  )
  return rows.length
}

export const cancelWaiting = (scope: Scope, journeyId: number, why: string): Promise<number> =>
  cancel(scope, sql<boolean>`o.journey_id = ${journeyId}`, why)

/** Who leaves gets nothing more, reminders included. */
export const cancelOfMember = (scope: Scope, memberId: number): Promise<number> =>
  cancel(scope, sql<boolean>`o.member_id = ${memberId}`, 'withdrawn')

async function cancel(scope: Scope, which: RawBuilder<boolean>, why: string): Promise<number> {
  await lockMessages(scope, which)
  const { rows } = await sql<{ id: number }>`
    update occurrences o set state = 'cancelled' where ${which} and ${UNSENT} returning o.id`.execute(
    scope.db,
  )
  await sql`
    update dispatches d set state = 'expired', error_code = ${why}, lease_owner = null, lease_until = null
    from occurrences o where o.tenant_id = d.tenant_id and o.id = d.occurrence_id and ${which}
      and d.state in ('planned', 'claimed')`.execute(scope.db)
  await writeFacts(
    scope,
    rows.map((row) => row.id),
  )
  return rows.length
}

/** What was held goes on: as the mode says, and never at night. */
export async function releaseWaiting(scope: Scope, journey: Journey, mode: ResumeMode) {
  const now = new Date()
  const { rows } = await sql<WaitingTurn & { member_id: number; lift_id: number }>`
    select o.id, o.member_id, o.lift_id, o.due_at, o.closes_at, o.zone, coalesce(o.planned_on, o.created_on) as planned_on
    from occurrences o
    where o.journey_id = ${journey.id} and o.state = 'held' and o.due_at is not null and ${UNSENT}
      and not exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
        and d.error_code = 'too_late')`.execute(scope.db)
  const { paused_at } = await scope.db
    .selectFrom('journeys')
    .select(sql<Date>`coalesce(paused_at, updated_on)`.as('paused_at'))
    .where('id', '=', journey.id)
    .executeTakeFirstOrThrow()
  const learners = await listLearners(scope, journey)
  const lifts = [...new Set(rows.map((row) => row.lift_id))].map((id) => ({ id }))
  const around = await readCircumstances(scope, journey.id, lifts, learners, now)
  const byMember = new Map<number, WaitingTurn[]>()
  for (const row of rows) byMember.set(row.member_id, [...(byMember.get(row.member_id) ?? []), row])
  const resumed = learners.flatMap((learner) =>
    resumeTurns(byMember.get(learner.id) ?? [], {
      ...{ mode, paused_at, now },
      taken: around.taken.get(learner.user_id) ?? [],
      journey: { ...journey, launched_at: new Date(journey.launched_at ?? now) },
      member: learner,
      channel: learner.channel,
      tenant_zone: around.tenant_zone,
      settings: around.settings,
    }),
  )
  for (let start = 0; start < resumed.length; start += 500)
    await writeResumed(scope, resumed.slice(start, start + 500))
  await releaseRest(scope, journey.id, mode, now.getTime() - paused_at.getTime())
  await wakeSender(scope)
  const left = resumed.filter((turn) => turn.due_at === null).length
  return { released: resumed.length - left, left_out: left }
}

async function writeResumed(scope: Scope, resumed: readonly Resumed[]): Promise<void> {
  const turns = JSON.stringify(resumed)
  await sql`
    update occurrences o set state = case when r.due_at is null then 'cancelled' else 'planned' end,
      due_at = coalesce(r.due_at, o.due_at), closes_at = r.closes_at,
      shifted = case when r.due_at > o.due_at then array_append(array_remove(o.shifted, 'pause'), 'pause') else o.shifted end,
      planned_local = coalesce(r.due_at, o.due_at) at time zone o.zone
    from jsonb_to_recordset(${turns}::jsonb) as r (id bigint, due_at timestamptz, closes_at timestamptz)
    where o.id = r.id`.execute(scope.db)
  await sql`
    update dispatches d set state = case when r.due_at is null then 'expired' else d.state end,
      error_code = case when r.due_at is null then 'skipped' end,
      due_at = coalesce(r.due_at, d.due_at), next_attempt_at = coalesce(r.due_at, d.due_at)
    from jsonb_to_recordset(${turns}::jsonb) as r (id bigint, due_at timestamptz)
    where d.occurrence_id = r.id and d.kind = 'lift' and d.state = 'planned'`.execute(scope.db)
  await writeFacts(
    scope,
    resumed.map((turn) => turn.id),
  )
}

/** Turns that wait for another lift or a person, and reminders. */
async function releaseRest(scope: Scope, journeyId: number, mode: ResumeMode, gap: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update occurrences o set state = 'planned' where o.journey_id = ${journeyId} and o.state = 'held'
      and o.due_at is null returning o.id`.execute(scope.db)
  await writeFacts(
    scope,
    rows.map((row) => row.id),
  )
  const by = mode === 'shift' ? gap / 1000 : 0
  await sql`
    update dispatches d set due_at = d.due_at + make_interval(secs => ${by}),
      next_attempt_at = d.due_at + make_interval(secs => ${by})
    from occurrences o where o.tenant_id = d.tenant_id and o.id = d.occurrence_id and o.journey_id = ${journeyId}
      and d.kind = 'reminder' and d.state = 'planned' and d.next_attempt_at = ${NEVER}`.execute(scope.db)
}

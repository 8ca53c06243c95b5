import { sql } from 'kysely'
import { record } from '../audit/audit.server.ts'
import { Refusal } from '../errors.ts'
import { activateDue } from '../journeys/activating.server.ts'
import type { Journey } from '../journeys/journey.ts'
import { type JourneyStatus, mayMove } from '../journeys/journey-status.ts'
import { getJourney, requireEditable } from '../journeys/journeys.server.ts'
import { stopSenders } from '../occurrences/settled.server.ts'
import { listSponsorIds } from '../participants/welcome-sponsors.server.ts'
import { momentOfPlanning } from '../planning/replan.server.ts'
import { planForAll } from '../planning/runs/plan-runs.server.ts'
import { type Task, tellOfEnd } from '../planning/runs/plan-steps.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { ResumeInput } from './lifecycle.ts'

/** No lift or reminder is sent until the journey resumes; sent lifts can still be answered. */
export async function pauseJourney(scope: Scope, id: number): Promise<Journey> {
  await move(scope, id, 'paused')
  const held = await changeAll(scope, id, { kind: 'pause' })
  await record(scope, 'journey.paused', { type: 'journey', id }, { held })
  return getJourney(scope, id)
}

export async function resumeJourney(scope: Scope, id: number, { mode }: ResumeInput): Promise<Journey> {
  const journey = await requireEditable(scope, id)
  if (journey.status !== 'paused') throw new Refusal(409, 'You can only resume a paused journey.')
  const since = await momentOfPlanning(scope, journey)
  await setStatus(scope, id, 'scheduled')
  const moment = nowIn(scope)
  if (mode === 'shift') await keepPause(scope, id, since, moment)
  const released = await changeAll(scope, id, { kind: 'resume', mode, since, moment })
  await activateDue(scope, id)
  await record(scope, 'journey.resumed', { type: 'journey', id }, { mode, released })
  return getJourney(scope, id)
}

/** Stored, so that later planning is shifted by the pause as well. */
async function keepPause(
  { actor, db }: Scope,
  journey_id: number,
  paused_at: Date,
  resumed_at: Date,
): Promise<void> {
  const { tenant_id } = actor
  await db.insertInto('journey_pauses').values({ tenant_id, journey_id, paused_at, resumed_at }).execute()
}

/** Cancels what has not been sent; answers stay. */
export async function completeJourney(scope: Scope, id: number): Promise<Journey> {
  await move(scope, id, 'completed')
  const cancelled = await changeAll(scope, id, { kind: 'complete' })
  await record(scope, 'journey.completed', { type: 'journey', id }, { cancelled })
  const journey = await getJourney(scope, id)
  for (const { path, people } of await othersByPath(scope, journey))
    await tellOfEnd(scope, journey, people, path)
  return journey
}

export async function archiveJourney(scope: Scope, id: number): Promise<Journey> {
  await move(scope, id, 'archived')
  const cancelled = await changeAll(scope, id, { kind: 'archive' })
  await record(scope, 'journey.archived', { type: 'journey', id }, { cancelled })
  return getJourney(scope, id)
}

/** Returns the number of occurrences; null if a job has to do it. The new state applies to all of them at once. */
async function changeAll(
  scope: Scope,
  id: number,
  task: Pick<Task, 'kind' | 'mode' | 'since'> & { moment?: Date },
): Promise<number | null> {
  const { lifts } = await scope.db
    .selectFrom('lifts')
    .select((eb) => eb.fn.countAll<number>().as('lifts'))
    .where('journey_id', '=', id)
    .executeTakeFirstOrThrow()
  return planForAll(scope, id, { moment: nowIn(scope), ...task, liftIds: [] }, { lifts: Number(lifts) })
}

/** The author and all participants other than learners, who are notified with their occurrences. */
async function othersOf({ actor, db }: Scope, { id, author_id }: Journey): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select distinct user_id from (select user_id from members where journey_id = ${id} and state <> 'withdrawn'
      union select ${author_id}::bigint) people
    where not exists (select from members m where m.journey_id = ${id} and m.user_id = people.user_id
      and m.role = 'learner' and m.state <> 'withdrawn')`.execute(db)
  return rows.map((row) => row.user_id).filter((person) => person !== actor.user_id)
}

/** The same people, grouped by the page of the journey that each can open. */
export async function othersByPath(scope: Scope, journey: Journey) {
  const { id, author_id } = journey
  const sponsors = new Set(await listSponsorIds(scope, id))
  const byPath = Map.groupBy(await othersOf(scope, journey), (person) => {
    if (person === author_id) return `/lljs/${id}/schedule`
    return sponsors.has(person) ? `/sponsors-journey/${id}` : undefined
  })
  return [...byPath].map(([path, people]) => ({ path, people }))
}

async function move(scope: Scope, id: number, to: JourneyStatus): Promise<void> {
  const { status } = await requireEditable(scope, id)
  const journey = status === 'draft' ? 'A draft' : `A journey that is ${status}`
  if (!mayMove(status, to)) throw new Refusal(409, `${journey} cannot be ${to}.`)
  await setStatus(scope, id, to)
}

/** A completed journey takes answers during its grace period, an archived one takes none. */
function answersUntil(status: JourneyStatus) {
  if (status === 'completed') return sql<Date>`scope_now() + grace_days * interval '1 day'`
  return status === 'archived' ? sql<Date>`least(answers_until, scope_now())` : null
}

/** The sender respects the new state from the commit on, even before the occurrences are updated. */
async function setStatus(scope: Scope, id: number, status: JourneyStatus): Promise<void> {
  await stopSenders(scope, id)
  await scope.db
    .updateTable('journeys')
    .set({
      status,
      paused_at: status === 'paused' ? sql`scope_now()` : null,
      answers_until: answersUntil(status),
      updated_on: sql`scope_now()`,
      lock_version: sql`lock_version + 1`,
    })
    .where('id', '=', id)
    .execute()
}

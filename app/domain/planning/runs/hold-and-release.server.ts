/** Holds, releases or cancels the unsent occurrences of a journey. */
import { sql } from 'kysely'
import { writeFacts, writeFactsOfMembers, writeLastFacts } from '../../occurrences/facts.server.ts'
import { findOccurrences, occurrences, occurrencesOf } from '../../occurrences/occurrences.server.ts'
import { lockDispatches, NEVER } from '../../occurrences/settled.server.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { listLearners } from '../learners.server.ts'
import type { Pause } from '../pauses.ts'
import { wakeSender } from '../plan.server.ts'
import type { StoredJourney } from '../planned-journey.server.ts'
import { readCircumstances } from '../planning-context.server.ts'
import { type Resumed, type ResumeMode, resumeOccurrences, type WaitingOccurrence } from '../resume.ts'
import { replanFollowers } from './replan-pending.server.ts'

const UNSENT = sql<boolean>`o.state in ('planned', 'due', 'held') and not exists (select from dispatches d
  where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    and (d.sent_at is not null or d.state in ('sending', 'unknown') or d.error_code = 'todo_only'))`

/** It fell due without a message because the person stopped e-mails: like a sent one, it stays in the to-do list. */
const CAME_UNSENT = sql<boolean>`o.state in ('planned', 'due') and o.due_at <= scope_now()
  and exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    and d.kind = 'lift' and d.state = 'suppressed')
  and not exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
    and d.kind = 'lift' and d.state in ('planned', 'claimed'))`

// The outer conditions below repeat the state because it is checked again after waiting for a row lock: a lift opened
// meanwhile stays.

/** Holds these members' waiting occurrences; returns their number. */
export async function holdWaiting(scope: Scope, memberIds: readonly number[]): Promise<number> {
  const held = await hold(scope, memberIds)
  await writeFacts(scope, held)
  return held.length
}

/** Returns the occurrences whose facts change. */
async function hold(scope: Scope, memberIds: readonly number[]): Promise<number[]> {
  const ids = await findOccurrences(scope, memberIds)
  await lockDispatches(scope, ids)
  const { rows } = await sql<{ id: number }>`
    update occurrences set state = 'held' where id = any(array(
      select o.id from ${occurrences(ids)} where ${UNSENT} and o.state <> 'held' and not (${CAME_UNSENT})))
      and state in ('planned', 'due') returning id`.execute(scope.db)
  await sql`
    update dispatches set next_attempt_at = ${NEVER} where id = any(array(${dispatchesOf(ids)}))`.execute(
    scope.db,
  )
  return rows.map((row) => row.id)
}

/** The unsent messages of these occurrences; once locked, none can be claimed. */
const dispatchesOf = (ids: readonly number[]) => sql`
  select d.id from unnest(${ids}::bigint[]) as occurrence (id) cross join lateral (
    select id from dispatches where occurrence_id = occurrence.id and state in ('planned', 'claimed') offset 0) d`

/** Cancels unsent occurrences and their messages, reminders included. */
export async function cancelWaiting(
  scope: Scope,
  memberIds: readonly number[],
  why: 'completed' | 'archived' | 'withdrawn',
): Promise<number> {
  const ids = await findOccurrences(scope, memberIds)
  await lockDispatches(scope, ids)
  const { rows } = await sql<{ id: number }>`
    update occurrences set state = 'cancelled' where id = any(array(
      select o.id from ${occurrences(ids)}
      where ${UNSENT} and (${why === 'withdrawn'} or not (${CAME_UNSENT}))))
      and state in ('planned', 'due', 'held') returning id`.execute(scope.db)
  const { rows: ended } = await sql<{ occurrence_id: number }>`
    update dispatches set state = 'expired', error_code = ${why}, lease_owner = null, lease_until = null
    where id = any(array(${dispatchesOf(ids)})) returning occurrence_id`.execute(scope.db)
  if (why === 'archived') await writeLastFacts(scope, memberIds)
  // All their facts at once: they are locked before their learners.
  else if (why === 'withdrawn') await writeFactsOfMembers(scope, memberIds)
  else
    await writeFacts(scope, [
      ...new Set([...rows.map((row) => row.id), ...ended.map((row) => row.occurrence_id)]),
    ])
  return rows.length
}

export type Resumption = { mode: ResumeMode; paused_at: Date; now: Date }

/**
 * Releases held occurrences according to the mode, never within quiet hours. Facts come last: an answer, too, locks
 * occurrences that wait for it before facts.
 */
export async function releaseWaiting(
  scope: Scope,
  journey: StoredJourney,
  { mode, paused_at, now }: Resumption,
  memberIds: readonly number[],
): Promise<number> {
  // The pause may have been too short to hold everything.
  const held = await hold(scope, memberIds)
  const { rows } = await sql<WaitingOccurrence & { member_id: number; lift_id: number }>`
    select o.id, o.member_id, o.lift_id, o.due_at, o.closes_at, o.zone, coalesce(o.planned_on, o.created_on) as planned_on
    from ${occurrencesOf(memberIds)}
    where o.state = 'held' and o.due_at is not null and ${UNSENT}
      and not exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
        and d.error_code in ('too_late', 'restored'))`.execute(scope.db)
  const learners = await listLearners(scope, journey, memberIds, { withDisabled: true })
  const lifts = [...new Set(rows.map((row) => row.lift_id))].map((id) => ({ id }))
  const around = await readCircumstances(scope, journey.id, lifts, learners, now)
  const byMember = Map.groupBy(rows, (row) => row.member_id)
  const resumed = learners.flatMap((learner) =>
    resumeOccurrences(byMember.get(learner.id) ?? [], {
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
  // With `skip` nothing is shifted, as if the pause had no length.
  const rest = await releaseRest(scope, memberIds, { from: mode === 'shift' ? paused_at : now, to: now })
  const leftOut = new Set(resumed.flatMap(({ id, due_at }) => (due_at === null ? id : [])))
  if (leftOut.size > 0) {
    const people = new Set(rows.flatMap(({ id, member_id }) => (leftOut.has(id) ? member_id : [])))
    await replanFollowers(scope, journey, [...people])
  }
  await writeFacts(scope, [...new Set([...held, ...resumed.map(({ id }) => id), ...rest])])
  await wakeSender(scope)
  return resumed.length - leftOut.size
}

async function writeResumed(scope: Scope, resumed: readonly Resumed[]): Promise<void> {
  const values = JSON.stringify(resumed)
  const ids = resumed.map(({ id }) => id)
  await sql`
    update occurrences o set state = case when r.due_at is null then 'cancelled' else 'planned' end,
      due_at = coalesce(r.due_at, o.due_at), closes_at = r.closes_at,
      shifted = case when r.due_at > o.due_at then array_append(array_remove(o.shifted, 'pause'), 'pause') else o.shifted end,
      planned_local = coalesce(r.due_at, o.due_at) at time zone o.zone
    from jsonb_to_recordset(${values}::jsonb) as r (id bigint, due_at timestamptz, closes_at timestamptz)
    where o.id = r.id and o.id = any(${ids}::bigint[])`.execute(scope.db)
  await sql`
    update dispatches d set state = case when r.due_at is null then 'expired' else d.state end,
      error_code = case when r.due_at is null then 'skipped' end,
      due_at = coalesce(r.due_at, d.due_at), next_attempt_at = coalesce(r.due_at, d.due_at)
    from jsonb_to_recordset(${values}::jsonb) as r (id bigint, due_at timestamptz)
    where d.occurrence_id = r.id and d.occurrence_id = any(${ids}::bigint[])
      and d.kind = 'lift' and d.state = 'planned'`.execute(scope.db)
}

/**
 * Releases occurrences that wait for another lift or a person, reminders, retries, resent messages, and those
 * replacing a text. Anything created during the pause has waited only since then. Returns the occurrences.
 */
async function releaseRest(
  scope: Scope,
  memberIds: readonly number[],
  { from, to }: Pause,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update occurrences set state = 'planned' where id = any(array(
      select o.id from ${occurrencesOf(memberIds)} where o.state = 'held' and o.due_at is null)) returning id`.execute(
    scope.db,
  )
  const waited = sql`greatest(${to}::timestamptz - greatest(${from}::timestamptz, created_on), interval '0')`
  await sql`
    update dispatches set due_at = due_at + ${waited}, next_attempt_at = due_at + ${waited}
    where next_attempt_at = ${NEVER}
      and id = any(array(${dispatchesOf(await findOccurrences(scope, memberIds))}))`.execute(scope.db)
  return rows.map((row) => row.id)
}

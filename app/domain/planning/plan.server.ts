/** Plans the occurrences of a journey's learners, and the messages that announce them. */
import { sql } from 'kysely'
import type { Journey } from '../journeys/journey.ts'
import type { Lift } from '../lifts/lift.ts'
import { writeFact } from '../occurrences/facts.server.ts'
import { findOccurrences, occurrences } from '../occurrences/occurrences.server.ts'
import { IS_SETTLED, lockDispatches, NEVER } from '../occurrences/settled.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { yieldingToOthers } from '../yield-to-others.server.ts'
import type { Learner } from './learners.server.ts'
import { lockAwaited } from './lock-awaited.server.ts'
import { lockDays } from './lock-days.server.ts'
import { awaitedBy, type PastPolicy, type PlannedOccurrence, planMember } from './participant-plan.ts'
import { type Restated, restate } from './pauses.ts'
import { readCircumstances, readMissed } from './planning-context.server.ts'

export type { PastPolicy } from './participant-plan.ts'

export type PlannedLift = Pick<Lift, 'id' | 'position' | 'schedule' | 'closes_after_hours' | 'version'>
type Occurrence = PlannedOccurrence & { lift: PlannedLift; learner: Learner }
type Terms = Planned & { now: Date } & Supposed
/** `before`: when it was requested, if it is carried out later. */
type Planned = { past: PastPolicy; at_once?: boolean; now?: Date; before?: Date | null | undefined }
/** What an author is only considering: another order, other settings of the company. */
type Supposed = { previous?: ReadonlyMap<number, number>; settings?: unknown; restated?: Restated }
export type PlannedJourney = Pick<
  Journey,
  | 'id'
  | 'status'
  | 'launched_at'
  | 'launched_now'
  | 'start_on'
  | 'timezone_mode'
  | 'timezone'
  | 'default_send_time'
  | 'send_days'
  | 'late_joiners'
>

/** What planning would do with every unsettled occurrence, without doing it. */
export async function draftOccurrences(
  scope: Scope,
  journey: PlannedJourney,
  lifts: readonly PlannedLift[],
  learners: readonly Learner[],
  { past, at_once = false, now, before: said_on = null, ...supposed }: Terms,
): Promise<Occurrence[]> {
  if (lifts.length === 0 || learners.length === 0) return []
  const around = await readCircumstances(scope, journey.id, lifts, learners, now, said_on)
  const byId = new Map(lifts.map((lift) => [lift.id, lift]))
  const previous = supposed.previous ?? around.previous
  const isElsewhere = (id: number | undefined): id is number => id !== undefined && !byId.has(id)
  const awaited = [...new Set(lifts.map((lift) => awaitedBy(lift, previous)))].filter(isElsewhere)
  const before = (id: number) => [previous.get(id)].find(isElsewhere)
  const missed = await readMissed(scope, awaited, learners, before)
  const launched_at = journey.launched_at ? new Date(journey.launched_at) : now
  const drafts: Occurrence[] = []
  const rest = yieldingToOthers()
  for (const learner of learners) {
    const planned = planMember({
      lifts: lifts.filter((lift) => !around.settled.get(learner.id)?.has(lift.id)),
      journey: { ...journey, launched_at },
      member: learner,
      channel: learner.channel,
      tenant_zone: around.tenant_zone,
      settings: supposed.settings ?? around.settings,
      previous,
      missed: missed.get(learner.id) ?? new Set(),
      pauses: { all: around.pauses, stated: restate(around.stated, supposed.restated, now) },
      completed: around.completed.get(learner.id) ?? new Map(),
      taken: around.taken.get(learner.user_id) ?? [],
      came: around.came.get(learner.id) ?? new Map(),
      ...{ past, at_once, now },
    })
    for (const occurrence of planned) {
      const lift = byId.get(occurrence.lift_id)
      if (lift) drafts.push({ ...occurrence, lift, learner })
    }
    // Yields: there may be a hundred thousand.
    await rest()
  }
  return drafts
}

/** Plans every (lift, learner) without an occurrence; in a paused journey they are held. Returns their number. */
export async function planOccurrences(
  scope: Scope,
  journey: PlannedJourney,
  lifts: readonly PlannedLift[],
  learners: readonly Learner[],
  { now = nowIn(scope), ...terms }: Planned,
): Promise<number> {
  await lockAwaited(
    scope,
    lifts,
    learners.map((one) => one.id),
  )
  await lockDays(
    scope,
    learners.map((one) => one.user_id),
  )
  const drafts = await draftOccurrences(scope, journey, lifts, learners, { ...terms, now })
  const planned = drafts.filter(
    (occurrence) => occurrence.outcome === 'planned' || occurrence.outcome === 'todo_only',
  )
  let inserted = 0
  for (let start = 0; start < planned.length; start += AT_ONCE)
    inserted += await insertOccurrences(scope, journey, planned.slice(start, start + AT_ONCE), now)
  return inserted
}

const AT_ONCE = 1000

async function insertOccurrences(
  { actor, db }: Scope,
  journey: PlannedJourney,
  planned: readonly Occurrence[],
  now: Date,
): Promise<number> {
  const isHeld = (occurrence: Occurrence) => journey.status === 'paused' && occurrence.outcome !== 'todo_only'
  const stateOf = (occurrence: Occurrence) => {
    if (occurrence.plan.expired) return 'expired'
    if (isHeld(occurrence)) return 'held'
    return occurrence.plan.due_at && occurrence.plan.due_at <= now ? 'due' : 'planned'
  }
  const rows = planned.map((occurrence) => ({
    ...occurrence.plan,
    lift_id: occurrence.lift.id,
    member_id: occurrence.learner.id,
    state: stateOf(occurrence),
    version: occurrence.lift.version,
    by_hand: occurrence.by_hand,
  }))
  const { rows: inserted } = await sql<{ id: number; lift_id: number; member_id: number }>`
    insert into occurrences (tenant_id, journey_id, lift_id, member_id, planned_local, zone, due_at, closes_at, shifted,
      state, content_version, planned_on, by_hand)
    select ${actor.tenant_id}, ${journey.id}, lift_id, member_id, planned_local, zone, due_at, closes_at, shifted,
      state, version, greatest(${now}, since), by_hand
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (lift_id bigint, member_id bigint,
      planned_local timestamp, zone text, due_at timestamptz, closes_at timestamptz, shifted text[], state text,
      version integer, by_hand boolean,
      since timestamptz)
    on conflict (tenant_id, lift_id, member_id) do nothing returning id, lift_id, member_id`.execute(db)
  const byPair = new Map(
    planned.map((occurrence) => [`${occurrence.lift.id} ${occurrence.learner.id}`, occurrence]),
  )
  const dispatches = inserted.flatMap(({ id, lift_id, member_id }) => {
    const occurrence = byPair.get(`${lift_id} ${member_id}`)
    if (!occurrence?.plan.send_at || occurrence.plan.expired) return []
    const silent = occurrence.outcome === 'todo_only'
    return [
      {
        id,
        channel: silent ? 'in_app' : occurrence.learner.channel,
        state: silent ? 'suppressed' : 'planned',
        error_code: silent ? 'todo_only' : null,
        due_at: occurrence.plan.send_at,
        is_held: isHeld(occurrence),
      },
    ]
  })
  if (dispatches.length > 0)
    await sql`
      insert into dispatches (tenant_id, occurrence_id, kind, channel, state, error_code, due_at, next_attempt_at)
      select ${actor.tenant_id}, id, 'lift', channel, state, error_code, due_at, case when is_held then ${NEVER} else due_at end
      from jsonb_to_recordset(${JSON.stringify(dispatches)}::jsonb) as m (id bigint, channel text, state text,
        error_code text, due_at timestamptz, is_held boolean)`.execute(db)
  await writeFact({ db }, ...inserted.map((row) => row.id))
  await wakeSender({ db })
  return inserted.length
}

/** Deletes these members' occurrences of these lifts that nobody opened and of which nothing has left. */
export async function unplan(
  scope: Scope,
  liftIds: readonly number[],
  memberIds: readonly number[],
  before: Date | null = null,
  staying: ReadonlySet<number> = new Set(),
): Promise<void> {
  const ids = (await findOccurrences(scope, memberIds, liftIds)).filter((id) => !staying.has(id))
  await lockDispatches(scope, ids)
  await sql`delete from occurrences where id = any(array(
    select o.id from ${occurrences(ids)} where not ${IS_SETTLED}
      and (${before}::timestamptz is null or o.created_on <= ${before}::timestamptz)))`.execute(scope.db)
}

/** Notifies the sender at commit that something may be due. */
export async function wakeSender({ db }: Pick<Scope, 'db'>): Promise<void> {
  await sql`select pg_notify('liftwell_dispatches', '')`.execute(db)
}

/** Plans the turns of a journey's learners with its lifts, and the messages that announce them. */
import { sql } from 'kysely'
import { writeFact } from '../analytics/facts.server.ts'
import type { Journey } from '../journeys/journey.ts'
import type { Lift } from '../lifts/lift.ts'
import type { Scope } from '../scope.server.ts'
import { readCircumstances } from './circumstances.server.ts'
import type { Learner } from './learners.server.ts'
import { type PastPolicy, type PlannedTurn, planMember } from './member-plan.ts'
import { IS_SETTLED, lockMessages, NEVER } from './settled.server.ts'

export type { PastPolicy } from './member-plan.ts'

export type PlannedLift = Pick<Lift, 'id' | 'position' | 'schedule' | 'closes_after_hours' | 'version'>
type Turn = PlannedTurn & { lift: PlannedLift; learner: Learner }
type Terms = { past: PastPolicy; launching: boolean; now: Date } & Supposed
/** What an author only considers: another order, other settings of the company. */
type Supposed = { previous?: ReadonlyMap<number, number>; settings?: unknown }
export type PlannedJourney = Pick<
  Journey,
  | 'id'
  | 'status'
  | 'launched_at'
  | 'start_on'
  | 'timezone_mode'
  | 'timezone'
  | 'default_send_time'
  | 'send_days'
  | 'late_joiners'
>

/** What planning would do for each learner and lift whose turn is not settled, without doing it. */
export async function draftTurns(
  scope: Scope,
  journey: PlannedJourney,
  lifts: readonly PlannedLift[],
  learners: readonly Learner[],
  { past, launching, now, ...supposed }: Terms,
): Promise<Turn[]> {
  const around = await readCircumstances(scope, journey.id, lifts, learners, now)
  const byId = new Map(lifts.map((lift) => [lift.id, lift]))
  const launched_at = journey.launched_at ? new Date(journey.launched_at) : now
  return learners.flatMap((learner) =>
    planMember({
      lifts: lifts.filter((lift) => !around.settled.get(learner.id)?.has(lift.id)),
      journey: { ...journey, launched_at },
      member: learner,
      channel: learner.channel,
      tenant_zone: around.tenant_zone,
      settings: supposed.settings ?? around.settings,
      previous: supposed.previous ?? around.previous,
      completed: around.completed.get(learner.id) ?? new Map(),
      taken: around.taken.get(learner.user_id) ?? [],
      ...{ past, launching, now },
    }).flatMap((turn) => {
      const lift = byId.get(turn.lift_id)
      return lift ? [{ ...turn, lift, learner }] : []
    }),
  )
}

/** Plans every (lift, learner) that has no turn yet; what a paused journey plans is held. */
export async function planTurns(
  scope: Scope,
  journey: PlannedJourney,
  lifts: readonly PlannedLift[],
  learners: readonly Learner[],
  past: PastPolicy,
  launching = false,
  now = new Date(),
): Promise<void> {
  const drafts = await draftTurns(scope, journey, lifts, learners, { past, launching, now })
  const turns = drafts.filter((turn) => turn.outcome !== 'skipped')
  for (let start = 0; start < turns.length; start += 500)
    await insertTurns(scope, journey, turns.slice(start, start + 500), now)
}

async function insertTurns(
  { actor, db }: Scope,
  journey: PlannedJourney,
  turns: readonly Turn[],
  now: Date,
): Promise<void> {
  const isHeld = (turn: Turn) => journey.status === 'paused' && turn.outcome !== 'todo_only'
  const stateOf = (turn: Turn) => {
    if (turn.plan.expired) return 'expired'
    if (isHeld(turn)) return 'held'
    return turn.plan.due_at && turn.plan.due_at <= now ? 'due' : 'planned'
  }
  const inserted = await db
    .insertInto('occurrences')
    .values(
      turns.map((turn) => ({
        tenant_id: actor.tenant_id,
        journey_id: journey.id,
        lift_id: turn.lift.id,
        member_id: turn.learner.id,
        planned_local: turn.plan.planned_local,
        zone: turn.plan.zone,
        due_at: turn.plan.due_at,
        closes_at: turn.plan.closes_at,
        shifted: turn.plan.shifted,
        state: stateOf(turn),
        content_version: turn.lift.version,
        planned_on: now,
      })),
    )
    .onConflict((clash) => clash.columns(['tenant_id', 'lift_id', 'member_id']).doNothing())
    .returning(['id', 'lift_id', 'member_id'])
    .execute()
  const byPair = new Map(turns.map((turn) => [`${turn.lift.id} ${turn.learner.id}`, turn]))
  const messages = inserted.flatMap(({ id, lift_id, member_id }) => {
    const turn = byPair.get(`${lift_id} ${member_id}`)
    const send_at = turn?.plan.send_at
    const silent = turn?.outcome === 'todo_only'
    if (!turn || !send_at || turn.plan.expired) return []
    return [
      {
        tenant_id: actor.tenant_id,
        occurrence_id: id,
        kind: 'lift',
        channel: silent ? 'in_app' : turn.learner.channel,
        state: silent ? 'suppressed' : 'planned',
        error_code: silent ? 'todo_only' : null,
        due_at: send_at,
        next_attempt_at: isHeld(turn) ? NEVER : send_at,
      },
    ]
  })
  if (messages.length > 0) await db.insertInto('dispatches').values(messages).execute()
  await writeFact({ db }, ...inserted.map((row) => row.id))
  await wakeSender({ db })
}

/** Takes back the turns with these lifts of which nothing has left and which nobody opened. */
export async function unplan(
  scope: Scope,
  liftIds: readonly number[],
  memberIds?: readonly number[],
): Promise<void> {
  const which = sql<boolean>`o.lift_id = any(${liftIds}::bigint[])
    and (${memberIds ?? null}::bigint[] is null or o.member_id = any(${memberIds ?? null}::bigint[]))`
  await lockMessages(scope, which)
  await sql`delete from occurrences o where ${which} and not ${IS_SETTLED}`.execute(scope.db)
}

/** Tells the sender, at commit, that something may be due. */
export async function wakeSender({ db }: Pick<Scope, 'db'>): Promise<void> {
  await sql`select pg_notify('liftwell_dispatches', '')`.execute(db)
}

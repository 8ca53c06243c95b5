/** Plans the turns of a journey's learners with its lifts, and the messages that announce them. */
import { sql } from 'kysely'
import { writeFact } from '../analytics/facts.server.ts'
import type { Journey } from '../journeys/journey.ts'
import type { Lift } from '../lifts/lift.ts'
import type { Scope } from '../scope.server.ts'
import { readCircumstances } from './circumstances.server.ts'
import type { Learner } from './learners.server.ts'
import { type PastPolicy, type PlannedTurn, planMember } from './member-plan.ts'

export type { PastPolicy } from './member-plan.ts'

type PlannedLift = Pick<Lift, 'id' | 'position' | 'schedule' | 'closes_after_hours' | 'version'>
type Turn = PlannedTurn & { lift: PlannedLift; learner: Learner }
type Terms = { past: PastPolicy; launching: boolean; now: Date } & Supposed
/** What an author only considers: another order, other settings of the company. */
type Supposed = { previous?: ReadonlyMap<number, number>; settings?: unknown }
type PlannedJourney = Pick<
  Journey,
  | 'id'
  | 'launched_at'
  | 'start_on'
  | 'timezone_mode'
  | 'timezone'
  | 'default_send_time'
  | 'send_days'
  | 'late_joiners'
>

/** What planning would do for each learner and lift, without doing it. */
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
      lifts,
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

/** Plans every (lift, learner) that has no turn yet. */
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
  const inserted = await db
    .insertInto('occurrences')
    .values(
      turns.map(({ lift, learner, plan }) => ({
        tenant_id: actor.tenant_id,
        journey_id: journey.id,
        lift_id: lift.id,
        member_id: learner.id,
        planned_local: plan.planned_local,
        zone: plan.zone,
        due_at: plan.due_at,
        closes_at: plan.closes_at,
        state: plan.expired ? 'expired' : plan.due_at && plan.due_at <= now ? 'due' : 'planned',
        content_version: lift.version,
      })),
    )
    .onConflict((clash) => clash.columns(['tenant_id', 'lift_id', 'member_id']).doNothing())
    .returning(['id', 'lift_id', 'member_id'])
    .execute()
  const messages = inserted.flatMap(({ id, lift_id, member_id }) => {
    const turn = turns.find(({ lift, learner }) => lift.id === lift_id && learner.id === member_id)
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
        next_attempt_at: send_at,
      },
    ]
  })
  if (messages.length > 0) await db.insertInto('dispatches').values(messages).execute()
  await writeFact({ db }, ...inserted.map((row) => row.id))
  await wakeSender({ db })
}

/** Takes back the turns with a lift of which nothing has left and which nobody opened. */
export async function unplan({ db }: Scope, liftId: number, memberIds?: number[]): Promise<void> {
  let turns = db
    .deleteFrom('occurrences as o')
    .where('o.lift_id', '=', liftId)
    .where('o.state', 'in', ['planned', 'held', 'due', 'cancelled'])
    .where('o.opened_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('dispatches as d')
            .select('d.id')
            .whereRef('d.occurrence_id', '=', 'o.id')
            .where((or) =>
              or.or([
                or('d.sent_at', 'is not', null),
                or('d.state', 'in', ['claimed', 'sending', 'unknown']),
              ]),
            ),
        ),
      ),
    )
  if (memberIds) turns = turns.where('o.member_id', 'in', memberIds)
  await turns.execute()
}

/** Tells the sender, at commit, that something may be due. */
export async function wakeSender({ db }: Pick<Scope, 'db'>): Promise<void> {
  await sql`select pg_notify('liftwell_dispatches', '')`.execute(db)
}

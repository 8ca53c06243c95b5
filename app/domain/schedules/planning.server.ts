/** Plans the turns of a journey's learners with its lifts, and the messages that announce them. */
import { sql } from 'kysely'
import { writeFact } from '../analytics/facts.server.ts'
import type { Journey } from '../journeys/journey.ts'
import type { Lift } from '../lifts/lift.ts'
import type { Scope } from '../scope.server.ts'
import { type Learner, listLearners } from './learners.server.ts'
import { type Plan, planLift } from './planner.ts'

/** What becomes of a lift whose time is past when it is planned. */
export type PastPolicy = 'send_now' | 'skip' | 'todo_only' | 'one_a_day'

type Moment = { now: Date; launching: boolean }
type Planned = { lift: Lift; learner: Learner; plan: Plan; isPast: boolean }

/** What planning would do, without doing it. */
export async function draftPlans(
  scope: Scope,
  journey: Journey,
  lifts: readonly Lift[],
  learners: readonly Learner[],
  { now, launching }: Moment,
): Promise<Planned[]> {
  const tenant = await scope.db
    .selectFrom('tenants')
    .select('timezone')
    .where('id', '=', scope.actor.tenant_id)
    .executeTakeFirstOrThrow()
  const launched_at = journey.launched_at ? new Date(journey.launched_at) : now
  return lifts.flatMap((lift) =>
    learners.map((learner) => {
      const plan = planLift({
        rule: lift.schedule,
        closes_after_hours: lift.closes_after_hours,
        journey: { ...journey, launched_at },
        member: learner,
        tenant_zone: tenant.timezone,
        channel: learner.channel,
        now,
      })
      // After the launch, what went out with it is past.
      const wentWithLaunch = lift.schedule.kind === 'manual' && !launching
      const isPast = wentWithLaunch || (plan.due_at !== null && plan.due_at.getTime() < now.getTime())
      return { lift, learner, plan, isPast }
    }),
  )
}

/** Plans every (lift, learner) that has no turn yet. */
export async function planTurns(
  scope: Scope,
  journey: Journey,
  lifts: readonly Lift[],
  learners: readonly Learner[],
  past: PastPolicy,
  launching = false,
): Promise<void> {
  const now = new Date()
  const drafts = await draftPlans(scope, journey, lifts, learners, { now, launching })
  const lateOnes = new Map<number, number>()
  const turns = drafts.flatMap((draft) => {
    if (!draft.isPast) return [{ ...draft, silent: false }]
    if (past === 'skip') return []
    if (past === 'todo_only') return [{ ...draft, plan: again(draft, now, journey), silent: true }]
    const day = past === 'one_a_day' ? (lateOnes.get(draft.learner.id) ?? 0) : 0
    lateOnes.set(draft.learner.id, day + 1)
    return [
      { ...draft, plan: again(draft, new Date(now.getTime() + day * 86_400_000), journey), silent: false },
    ]
  })
  for (let start = 0; start < turns.length; start += 500)
    await insertTurns(scope, journey, turns.slice(start, start + 500), now)
}

const again = ({ lift, learner }: Planned, at: Date, journey: Journey): Plan =>
  planLift({
    rule: lift.schedule,
    closes_after_hours: lift.closes_after_hours,
    journey: { ...journey, launched_at: at },
    member: learner,
    tenant_zone: journey.timezone,
    channel: learner.channel,
    send_now: true,
    now: at,
  })

async function insertTurns(
  { actor, db }: Scope,
  journey: Journey,
  turns: readonly (Planned & { silent: boolean })[],
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
    if (!turn || !send_at || turn.plan.expired) return []
    return [
      {
        tenant_id: actor.tenant_id,
        occurrence_id: id,
        kind: 'lift',
        channel: turn.silent ? 'in_app' : turn.learner.channel,
        state: turn.silent ? 'suppressed' : 'planned',
        error_code: turn.silent ? 'todo_only' : null,
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

/** The time or the readiness of a lift changed: what has not left is planned anew. */
export async function replanLift(scope: Scope, journey: Journey, lift: Lift): Promise<void> {
  await unplan(scope, lift.id)
  if (lift.status === 'ready')
    await planTurns(scope, journey, [lift], await listLearners(scope, journey), 'skip')
}

/** Tells the sender, at commit, that something may be due. */
export async function wakeSender({ db }: Pick<Scope, 'db'>): Promise<void> {
  await sql`select pg_notify('liftwell_dispatches', '')`.execute(db)
}

/** Planning for so many that nobody waits for it: the work is written down, and a job does it some people at a time. */
import { sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import { activateDue } from '../journeys/activating.server.ts'
import { isClosed } from '../journeys/journey.ts'
import { foldTallies } from '../journeys/tallies.server.ts'
import { notify } from '../notifications/notifications.server.ts'
import type { Scope } from '../scope.server.ts'
import { listLearners } from './learners.server.ts'
import { readPlannedJourney, readPlannedLifts } from './planned-journey.server.ts'
import { type PastPolicy, planTurns, unplan } from './planning.server.ts'

/** As many turns as a request plans while somebody waits for it. */
const AT_ONCE = 2000
/** As many as one transaction of the job plans: others are answered between two of them. */
const TURNS_A_STEP = 1000
const STEPS_A_FOLD = 20

type Kind = 'launch' | 'late' | 'edit'
type NewPlan = {
  kind: Kind
  past: PastPolicy
  liftIds: readonly number[]
  moment: Date
  /** Without it, all members of now. */
  memberIds?: readonly number[] | undefined
  people: number
}

export const isLong = (lifts: number, learners: number): boolean => lifts * learners > AT_ONCE

export async function beginPlan(scope: Scope, journeyId: number, plan: NewPlan): Promise<void> {
  const { kind, past, liftIds, moment, memberIds, people } = plan
  const { tenant_id } = scope.actor
  const { rows } = await sql<{ id: number }>`
    insert into journey_plans (tenant_id, journey_id, kind, past, lift_ids, member_ids, moment, people, last_member)
    select ${tenant_id}, ${journeyId}, ${kind}, ${past}, ${liftIds}::bigint[], ${memberIds ?? null}::bigint[], ${moment},
      ${people}, coalesce(max(id), 0) from members where journey_id = ${journeyId} returning id`.execute(
    scope.db,
  )
  if (rows[0]) await queuePlan(scope, rows[0].id)
}

export async function queuePlan({ actor: { tenant_id }, db }: Scope, plan_id: number): Promise<void> {
  await addJob(db, 'plan-journey', { tenant_id, plan_id }, { key: `plan-journey:${tenant_id}:${plan_id}` })
}

/** How far the planning of a journey has come; null when nothing is left to plan. */
export async function planProgress({ db }: Scope, journeyId: number) {
  const { rows } = await sql<{ people: number | null; done: number | null }>`
    select sum(people) as people, sum(done) as done from journey_plans where journey_id = ${journeyId}`.execute(
    db,
  )
  const [{ people, done } = { people: null, done: null }] = rows
  return people === null ? null : { people: Number(people), done: Number(done) }
}

/** Plans the next people; false when there is nobody left. */
export async function continuePlan(scope: Scope, planId: number): Promise<boolean> {
  const { db } = scope
  const plan = await db
    .selectFrom('journey_plans')
    .selectAll()
    .where('id', '=', planId)
    .forUpdate()
    .executeTakeFirst()
  if (!plan) return false
  // Nobody edits, pauses or ends the journey between what is read here and what is planned.
  const { name } = await db
    .selectFrom('journeys')
    .select('name')
    .where('id', '=', plan.journey_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const journey = await readPlannedJourney(scope, plan.journey_id)
  const lifts = await readPlannedLifts(scope, plan.lift_ids)
  const ids = isClosed(journey.status) ? [] : await nextMembers(scope, plan, lifts.length)
  const isFoldDue = ids.length === 0 || Math.floor(plan.done / ids.length) % STEPS_A_FOLD === 0
  if (isFoldDue) await foldTallies(scope, journey.id)
  if (ids.length === 0) {
    await db.deleteFrom('journey_plans').where('id', '=', planId).execute()
    return false
  }
  const learners = await listLearners(scope, journey, ids)
  if (plan.kind === 'edit') await unplan(scope, plan.lift_ids, ids)
  await planTurns(
    scope,
    journey,
    lifts,
    learners,
    plan.past as PastPolicy,
    plan.kind === 'launch',
    plan.moment,
  )
  if (plan.kind !== 'edit') await tellOfJourney(scope, name, learners)
  await activateDue(scope, journey.id)
  await db
    .updateTable('journey_plans')
    .set({ after_member: ids.at(-1) ?? 0, done: plan.done + learners.length, touched_on: sql`now()` })
    .where('id', '=', planId)
    .execute()
  return true
}

type Cursor = {
  journey_id: number
  member_ids: number[] | null
  after_member: number
  last_member: number
}

async function nextMembers({ db }: Scope, plan: Cursor, lifts: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from members where journey_id = ${plan.journey_id} and role = 'learner' and state in ('invited', 'active')
      and id > ${plan.after_member} and id <= ${plan.last_member}
      and (${plan.member_ids}::bigint[] is null or id = any(${plan.member_ids}::bigint[]))
    order by id limit ${Math.max(1, Math.floor(TURNS_A_STEP / Math.max(1, lifts)))}`.execute(db)
  return rows.map((row) => row.id)
}

/** Who takes part is told so once they have a plan. */
export const tellOfJourney = (
  scope: Scope,
  journey: string,
  learners: readonly { user_id: number }[],
): Promise<void> =>
  notify(
    scope,
    learners.map((learner) => learner.user_id),
    {
      notification_type: 'launch',
      content: { title: journey, message: `You are part of the learning journey "${journey}".` },
    },
  )

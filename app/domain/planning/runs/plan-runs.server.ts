/** Planning for many people: the task is stored, and a job carries it out in batches. */
import { type RawBuilder, sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import { activateDue } from '../../journeys/activating.server.ts'
import { isClosed } from '../../journeys/journey-status.ts'
import { lockJourneys } from '../../journeys/journeys.server.ts'
import { foldLearners } from '../../journeys/learner-tallies.server.ts'
import { foldTallies } from '../../journeys/tallies.server.ts'
import { findOccurrencesOfLifts } from '../../occurrences/occurrences.server.ts'
import { lockDispatches, stopSenders } from '../../occurrences/settled.server.ts'
import { type Scope, tenantWide } from '../../scope/scope.server.ts'
import { lockReplanned } from '../lock-awaited.server.ts'
import { readPlannedJourney, readPlannedLifts } from '../planned-journey.server.ts'
import { concernsAll, doStep, endsJourney, leavesStanding, type Task } from './plan-steps.server.ts'

/** The maximum number of occurrences planned within a request. */
const AT_ONCE = 2000
/** The number per transaction of the job; other work runs between two of them. */
const TURNS_A_STEP = 1000
const STEPS_A_FOLD = 20

type Extent = { lifts: number; memberIds?: readonly number[] }

/**
 * Returns the number of people if done at once; null if a job does it. Nothing leaves by the old plan from here on.
 * Tenant-wide: a journey of a sub-tenant has learners from others.
 */
export const planForAll = (
  scope: Scope,
  journeyId: number,
  task: Task,
  extent: Extent,
): Promise<number | null> => tenantWide(scope, (whole) => planWhole(whole, journeyId, task, extent))

async function planWhole(
  scope: Scope,
  journeyId: number,
  task: Task,
  { lifts, memberIds }: Extent,
): Promise<number | null> {
  const isBeside = leavesStanding(task.kind)
  if (!isBeside) await stopSenders(scope, journeyId)
  const named = memberIds && sql<number[]>`${memberIds}::bigint[]`
  const ids = await listMembers(scope, { ...task, journey_id: journeyId, named })
  // At least 1: people are notified even without a lift.
  if (Math.max(1, lifts) * ids.length <= AT_ONCE && (isBeside || !(await isPlanned(scope, journeyId)))) {
    const count = await doStep(scope, await readPlannedJourney(scope, journeyId), task, ids)
    await activateDue(scope, journeyId)
    return count
  }
  const { kind, past = null, mode = null, since = null, liftIds, moment } = task
  const { rows } = await sql<{ id: number }>`
    insert into journey_plans (tenant_id, journey_id, kind, past, mode, since, lift_ids, member_ids, moment, people,
      last_member)
    select ${scope.actor.tenant_id}, ${journeyId}, ${kind}, ${past}, ${mode}, ${since}, ${liftIds}::bigint[],
      ${memberIds ?? null}::bigint[], ${moment}, ${ids.length}, coalesce(max(id), 0)
    from members where journey_id = ${journeyId} returning id`.execute(scope.db)
  if (rows[0]) await queuePlan(scope, rows[0].id)
  return null
}

/** Before any of it is written; a larger journey is planned by a job, in transactions of its own. */
export const lockPlannedAtOnce = (
  scope: Scope,
  journeyId: number,
  liftIds: readonly number[],
): Promise<void> =>
  tenantWide(scope, async (whole) => {
    const memberIds = await listMembers(whole, { kind: 'edit', journey_id: journeyId, limit: AT_ONCE + 1 })
    if (memberIds.length > AT_ONCE) await lockDispatches(whole, await findOccurrencesOfLifts(whole, liftIds))
    else await lockReplanned(whole, liftIds, await readPlannedLifts(whole, liftIds), memberIds)
  })

export async function queuePlan({ actor: { tenant_id }, db }: Scope, plan_id: number): Promise<void> {
  await addJob(db, 'plan-journey', { tenant_id, plan_id }, { key: `plan-journey:${tenant_id}:${plan_id}` })
}

/** The progress of a journey's planning; null when nothing is left to plan. */
export const planProgressOf = (journeyId: number) =>
  sql<PlanProgress | null>`(select jsonb_build_object('people', sum(people), 'done', sum(done))
    from journey_plans where journey_id = ${journeyId} having count(*) > 0)`

type PlanProgress = { people: number; done: number }

async function isPlanned({ db }: Scope, journeyId: number): Promise<boolean> {
  const { rows } = await sql`select from journey_plans where journey_id = ${journeyId} limit 1`.execute(db)
  return rows.length > 0
}

/** Plans the next batch; false when nobody is left, or another plan comes first. */
export async function continuePlan(scope: Scope, planId: number): Promise<boolean> {
  const { db } = scope
  const plan = await lockPlan(scope, planId)
  if (!plan) return false
  await lockJourneys(scope, [plan.journey_id])
  const journey = await readPlannedJourney(scope, plan.journey_id)
  const isOver = isClosed(journey.status) && !endsJourney(plan.kind)
  const limit = Math.max(1, Math.floor(TURNS_A_STEP / Math.max(1, plan.liftIds.length || journey.lift_count)))
  const named = plan.is_of_some
    ? sql<number[]>`(select member_ids from journey_plans where id = ${planId})`
    : undefined
  const ids = isOver ? [] : await listMembers(scope, { ...plan, named, limit })
  const isFoldDue = ids.length === 0 || Math.floor(plan.done / ids.length) % STEPS_A_FOLD === 0
  if (isFoldDue) {
    await foldTallies(scope, journey.id)
    await foldLearners(scope)
  }
  if (ids.length === 0) {
    await db.deleteFrom('journey_plans').where('id', '=', planId).execute()
    await queueNext(scope, journey.id)
    return false
  }
  await doStep(scope, journey, plan, ids)
  await activateDue(scope, journey.id)
  await db
    .updateTable('journey_plans')
    .set({ after_member: ids.at(-1) ?? 0, done: plan.done + ids.length, touched_on: sql`now()` })
    .where('id', '=', planId)
    .execute()
  return true
}

/** The list of people stays in the database: it may have a hundred thousand, and a step needs few. */
type StoredPlan = Task & Cursor & { done: number; is_of_some: boolean }

async function lockPlan({ db }: Scope, planId: number): Promise<StoredPlan | null> {
  const { rows } = await sql<StoredPlan>`
    select p.journey_id, p.kind, p.past, p.mode, p.since, p.lift_ids as "liftIds", p.moment,
      p.member_ids is not null as is_of_some, p.after_member, p.last_member, p.done, p.created_on as before
    from journey_plans p where p.id = ${planId} and not exists (select from journey_plans earlier
      where earlier.tenant_id = p.tenant_id and earlier.journey_id = p.journey_id and earlier.id < p.id)
    for update of p`.execute(db)
  return rows[0] ?? null
}

async function queueNext(scope: Scope, journeyId: number): Promise<void> {
  const next = await scope.db
    .selectFrom('journey_plans')
    .select('id')
    .where('journey_id', '=', journeyId)
    .orderBy('id')
    .executeTakeFirst()
  if (next) await queuePlan(scope, next.id)
}

type Cursor = {
  journey_id: number
  after_member?: number
  last_member?: number
}

/** The members affected. Those who left are included, as they have occurrences too; a pause holds none of them. */
async function listMembers(
  { db }: Scope,
  {
    kind,
    journey_id,
    after_member = 0,
    last_member = Number.MAX_SAFE_INTEGER,
    named,
    limit = null,
  }: Pick<Task, 'kind'> & Cursor & { named?: RawBuilder<number[]> | undefined; limit?: number | null },
): Promise<number[]> {
  const isNext = sql`id > ${after_member} and id <= ${last_member}`
  const isMeant = sql`journey_id = ${journey_id} and role = 'learner'
    and (${concernsAll(kind)} or state in ('invited', 'active'))`
  const { rows } = await sql<{ id: number }>`${
    named
      ? sql`select one.id from (select distinct id from unnest(${named}) as all_of_them (id) where ${isNext} order by id) one
          cross join lateral (select from members where id = one.id and ${isMeant} offset 0) m order by one.id`
      : sql`select id from members where ${isNext} and ${isMeant} order by id`
  } limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

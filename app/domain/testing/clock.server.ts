/** Moves the clock of the testing tenant: requested here, done step by step by a job. */
import { sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import { record } from '../audit/audit.server.ts'
import { Refusal } from '../errors.ts'
import { requireTesting } from '../outbox/outbox.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { CLOCK_STEPS, type ClockInput, ClockMove, type TestingClock } from './clock.ts'

export async function getClock(scope: Scope): Promise<TestingClock> {
  await requireTesting(scope)
  return readClock(scope)
}

/** A form submitted twice moves the clock once. */
export async function moveClock(scope: Scope, { by, answers, version }: ClockInput): Promise<TestingClock> {
  await requireTesting(scope)
  const { actor, db } = scope
  await db.selectFrom('tenants').select('id').where('id', '=', actor.tenant_id).forNoKeyUpdate().execute()
  const clock = await readClock(scope)
  if (clock.version !== version || clock.move) return clock
  const { ms, seconds } = CLOCK_STEPS[by]
  const now = nowIn(scope)
  const to = ms === null ? clock.next_message_at : new Date(now.getTime() + ms).toISOString()
  if (!to) throw new Refusal(409, 'No message is planned: launch a journey first.')
  const move: ClockMove = {
    ...{ from: now.toISOString(), to, began_on: new Date().toISOString(), seconds, answers },
    starts_again: false,
  }
  await db
    .updateTable('tenants')
    .set({ clock_move: JSON.stringify(move), clock_version: version + 1 })
    .where('id', '=', actor.tenant_id)
    .execute()
  await addJob(db, 'move-clock', {}, { key: 'move-clock' })
  await record(scope, 'testing.clock_moved', { type: 'tenant', id: actor.tenant_id }, { by, to, answers })
  return readClock(scope)
}

export async function readClock(scope: Scope): Promise<TestingClock> {
  const { actor, db } = scope
  const row = await db
    .selectFrom('tenants')
    .select(['timezone', 'clock_ahead_ms', 'clock_move', 'clock_version'])
    .where('id', '=', actor.tenant_id)
    .executeTakeFirstOrThrow()
  return {
    now: nowIn(scope).toISOString(),
    timezone: row.timezone,
    ahead_ms: Number(row.clock_ahead_ms),
    version: row.clock_version,
    move: row.clock_move === null ? null : ClockMove.parse(row.clock_move),
    next_message_at: (await findNextDispatch(scope))?.toISOString() ?? null,
  }
}

/** Ignores messages that wait for a person: they are never due. */
async function findNextDispatch({ db }: Scope): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(next_attempt_at) as at from dispatches
    where state = 'planned' and next_attempt_at < scope_now() + interval '1 year'`.execute(db)
  return rows[0]?.at ?? null
}

const ROUND = sql`interval '1 hour'`

/**
 * Moves the clock by one step and returns the new time; null if it has arrived or does not move. The next step is the
 * first thing due after `since`.
 */
export async function stepOn(scope: Scope, since: Date): Promise<{ move: ClockMove; now: Date } | null> {
  const { actor, db } = scope
  const { clock_move, clock_ahead_ms } = await db
    .selectFrom('tenants')
    .select(['clock_move', 'clock_ahead_ms'])
    .where('id', '=', actor.tenant_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (clock_move === null) return null
  const move = ClockMove.parse(clock_move)
  if (move.starts_again) return null
  if (nowIn(scope).getTime() >= Date.parse(move.to)) {
    await db.updateTable('tenants').set({ clock_move: null }).where('id', '=', actor.tenant_id).execute()
    return null
  }
  const { at, ahead_ms } = await findNextStep(scope, move, since)
  const by = Math.max(0, ahead_ms - Number(clock_ahead_ms))
  await sql`update tenants set clock_ahead_ms = clock_ahead_ms + ${by} where id = ${actor.tenant_id}`.execute(
    db,
  )
  await sql`select graphile_worker.reschedule_jobs(array[id], run_at - ${by} * interval '1 millisecond')
    from (${waitingJobs(scope)}) waiting`.execute(db)
  return { move, now: at }
}

async function findNextStep(scope: Scope, { to }: ClockMove, since: Date) {
  const { rows } = await sql<{ at: Date; ahead_ms: number }>`
    with step as (select least(
      ${to}::timestamptz,
      date_trunc('hour', scope_now()) + ${ROUND},
      (select min(next_attempt_at) from dispatches where state = 'planned' and next_attempt_at > ${since}),
      (select min(run_at) from (${waitingJobs(scope)}) waiting) + (scope_now() - now())
    ) as at)
    select at, ceil(extract(epoch from at - now()) * 1000)::float8 as ahead_ms from step`.execute(scope.db)
  const [step] = rows
  if (!step) throw new Error('A clock on its way has a next step.')
  return step
}

/** Job keys begin with the tenant id. */
const waitingJobs = ({ actor }: Scope) => sql`select id, run_at from graphile_worker.jobs
  where starts_with(key, ${`${actor.tenant_id}:`}) and locked_at is null and run_at > now()`

/** Resets the testing tenant: requested here, done by a job. */
import { sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import { record } from '../audit/audit.server.ts'
import { requireTesting } from '../outbox/outbox.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { openScope, type Scope } from '../scope/scope.server.ts'
import { endAccounts } from '../users/accounts.server.ts'
import { readClock } from './clock.server.ts'
import type { ClockMove, StartAgainInput, TestingClock } from './clock.ts'

/** A form submitted twice resets once. */
export async function startAgain(scope: Scope, { version }: StartAgainInput): Promise<TestingClock> {
  await requireTesting(scope)
  const { actor, db } = scope
  await db.selectFrom('tenants').select('id').where('id', '=', actor.tenant_id).forNoKeyUpdate().execute()
  const clock = await readClock(scope)
  if (clock.version !== version) return clock
  const now = nowIn(scope).toISOString()
  const move: ClockMove = {
    ...{ from: now, to: now, began_on: new Date().toISOString(), seconds: 0 },
    ...{ answers: 'none', starts_again: true },
  }
  await db
    .updateTable('tenants')
    .set({ clock_move: JSON.stringify(move), clock_version: version + 1 })
    .where('id', '=', actor.tenant_id)
    .execute()
  await addJob(db, 'start-testing-again', { by: actor.user_id }, { key: 'start-testing-again' })
  await record(scope, 'testing.started_again', { type: 'tenant', id: actor.tenant_id })
  return readClock(scope)
}

/** Jobs about people and accounts still run. */
const KEPT_JOBS = [
  'erase-accounts',
  'change-address',
  'settle-accounts',
  'settle-sign-in',
  'remove-stored-file',
]

/** Deletes waiting jobs about deleted data. Called in the worker's scope. */
export async function dropJobs({ actor, db }: Scope): Promise<void> {
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs
    where starts_with(key, ${`${actor.tenant_id}:`}) and locked_at is null
      and task_identifier <> all(${KEPT_JOBS}::text[])))`.execute(db)
}

/** Whether a job still moves the clock. Called in the worker's scope. */
export async function isMoving({ actor, db }: Scope): Promise<boolean> {
  const { rows } = await sql`select from graphile_worker.jobs
    where key = ${`${actor.tenant_id}:move-clock`} and locked_at is not null`.execute(db)
  return rows.length > 0
}

/**
 * Deletes all activity, resets the clock to the machine's, and keeps only these people. Returns the scope with the
 * reset clock.
 */
export async function empty(scope: Scope, addresses: readonly string[], by: number | null): Promise<Scope> {
  const { actor, db } = scope
  const people = await db.selectFrom('users').select(['id', 'email']).execute()
  const isKept = (one: { id: number; email: string }) =>
    one.id === by || addresses.includes(one.email.toLowerCase())
  for (const one of people) if (!isKept(one)) await endAccounts(scope, one.id)
  const kept = people.filter(isKept).map((one) => one.id)
  await sql`select empty_testing_tenant(${kept}::bigint[])`.execute(db)
  await db
    .updateTable('tenants')
    .set({ clock_ahead_ms: 0, clock_move: null, clock_version: sql`clock_version + 1` })
    .where('id', '=', actor.tenant_id)
    .execute()
  return openScope(db, actor)
}

/** The queue of generic jobs: graphile-worker's tables, in a schema of their own. */
import { Logger, runMigrations } from 'graphile-worker'
import { type Kysely, sql, type Transaction } from 'kysely'
import { createClient } from './client.server.ts'
import type { DB } from './schema.ts'

const silent = new Logger(() => () => {})

/** `mass_email`: so many at once that nobody's single mail may wait behind them. */
type JobOptions = {
  key?: string | null
  run_at?: Date | null
  carrier?: 'sms' | 'email' | 'mass_email' | null
}

/**
 * Adds a job in the running transaction; it runs after the commit and carries the scope's tenant_id.
 * A waiting job with the same key is replaced by this one. `queued_on` says how long it has waited.
 * A job that hands a message to a carrier names it: it waits while that carrier is away, and no other job waits for it.
 */
export async function addJob(
  db: Kysely<DB> | Transaction<DB>,
  name: string,
  payload: Record<string, unknown>,
  { key = null, run_at = null, carrier = null }: JobOptions = {},
): Promise<void> {
  await sql`select enqueue_job(${name}, ${JSON.stringify({ ...payload, queued_on: new Date() })}::jsonb, ${key}, ${run_at}, ${carrier})`.execute(
    db,
  )
}

/** One of a kind for each, in one statement. */
export async function addJobs(
  db: Kysely<DB> | Transaction<DB>,
  name: string,
  jobs: readonly { payload: Record<string, unknown>; key?: string }[],
  { run_at = null, carrier = null }: Omit<JobOptions, 'key'> = {},
): Promise<void> {
  if (jobs.length === 0) return
  const queued_on = new Date()
  const payloads = jobs.map(({ payload }) => JSON.stringify({ ...payload, queued_on }))
  const keys = jobs.map(({ key }) => key ?? null)
  await sql`select enqueue_job(${name}, job.payload, job.key, ${run_at}, ${carrier})
    from unnest(${payloads}::jsonb[], ${keys}::text[]) as job (payload, key)`.execute(db)
}

/**
 * As the owner; row-level security without policies shuts out other roles, so the worker gets policies: once, for to make
 * one means to wait until nobody is in the table, and to hold up all others meanwhile.
 */
export async function installQueue(ownerUrl: string): Promise<void> {
  await runMigrations({ connectionString: ownerUrl, logger: silent })
  const client = createClient(ownerUrl)
  await client.connect()
  try {
    await client.query(`
      select pg_advisory_lock(hashtext('liftwell.queue'));
      revoke all on schema graphile_worker from public;
      grant usage on schema graphile_worker to liftwell_worker;
      grant select, insert, update, delete on all tables in schema graphile_worker to liftwell_worker;
      grant usage, select on all sequences in schema graphile_worker to liftwell_worker;
      do $$
      declare one record;
      begin
        for one in select c.oid::regclass as name from pg_class c
          where c.relnamespace = 'graphile_worker'::regnamespace and c.relkind = 'r' and c.relrowsecurity
            and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'worker_runs')
        loop
          execute format('create policy worker_runs on %s to liftwell_worker using (true) with check (true)', one.name);
        end loop;
      end $$;
      select pg_advisory_unlock(hashtext('liftwell.queue'));`)
  } finally {
    await client.end()
  }
}

/** The queue of generic jobs: graphile-worker's tables, in their own schema. */
import { Logger, runMigrations } from 'graphile-worker'
import { type Kysely, sql, type Transaction } from 'kysely'
import { createClient } from './client.server.ts'
import type { DB } from './schema.ts'

const silent = new Logger(() => () => {})

/** `mass_email`: one of so many mails that no single mail should wait behind them. */
type JobOptions = {
  key?: string | null
  run_at?: Date | null
  carrier?: 'sms' | 'email' | 'mass_email' | null
}

/**
 * Adds a job in the running transaction; it runs after the commit and carries the scope's tenant_id. It replaces a
 * waiting job with the same key. `queued_on` is when the job was added. A job that hands a message to a carrier names
 * the carrier: it waits while that carrier is away, and holds up no other job.
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

/** Adds one job per payload, in one statement. */
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
 * Runs as the owner. Row-level security without policies shuts out other roles, so the worker gets policies, created
 * once: creating a policy waits until nobody uses the table, and blocks all others meanwhile.
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

/** Jobs that failed for good hold numbers and addresses, also of people who were erased since: they go after 30 days. */
import { sql } from 'kysely'
import type { JobContext } from './context.ts'

export async function forgetFailedJobs({ database }: Pick<JobContext, 'database'>): Promise<void> {
  await sql`delete from graphile_worker._private_jobs
    where attempts >= max_attempts and locked_at is null and run_at < now() - interval '30 days'`.execute(
    database,
  )
}

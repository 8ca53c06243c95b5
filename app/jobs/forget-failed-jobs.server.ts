/** Deletes jobs that failed for good after 30 days: they hold numbers and addresses, even of people erased since. */
import { sql } from 'kysely'
import type { JobContext } from './context.ts'

export async function forgetFailedJobs({ database }: Pick<JobContext, 'database'>): Promise<void> {
  await sql`delete from graphile_worker._private_jobs
    where attempts >= max_attempts and locked_at is null and run_at < now() - interval '30 days'`.execute(
    database,
  )
}

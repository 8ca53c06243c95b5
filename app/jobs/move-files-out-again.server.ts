/** Retries each night the files that a store refused in all attempts, as long as the failed job is kept. */
import { sql } from 'kysely'
import type { JobContext } from './context.ts'

export async function moveFilesOutAgain({ database }: Pick<JobContext, 'database'>): Promise<void> {
  await sql`update graphile_worker._private_jobs set attempts = 0, run_at = now()
    where attempts >= max_attempts and locked_at is null
      and task_id = (select id from graphile_worker._private_tasks where identifier = 'move-file-out')`.execute(
    database,
  )
}

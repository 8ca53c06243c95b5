/** Frees jobs of dead processes, which the queue would hold for 4 hours: living ones hold a lock on their queue's id. */
import type { ClientBase, Pool } from 'pg'

const EVERY_MS = 30_000

const LOCK = `hashtextextended('liftwell jobs ' || $1, 0)`

/** The lock lasts as long as the connection. */
export async function showAlive(client: ClientBase, queueId: string): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${LOCK})`, [queueId])
}

/** Jobs that tell somebody how they ended. */
const WITH_AN_END = ['import-users', 'make-export']

/** Frees jobs whose holder is dead. A new holder gets 30 seconds to take its lock. */
export async function freeAbandoned(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ holder: string }>(`
    select holder from (
      select distinct locked_by as holder from graphile_worker._private_jobs
      where locked_by is not null and locked_at < now() - interval '30 seconds' offset 0) as holders
    where pg_try_advisory_xact_lock(${LOCK.replace('$1', 'holder')})`)
  if (rows.length === 0) return
  const holders = rows.map((row) => row.holder)
  // Killed in its last attempt, such a job runs once more, only to say so.
  await pool.query(
    `update graphile_worker._private_jobs as j
      set max_attempts = attempts + 1, payload = (payload::jsonb || '{"has_given_up": true}')::json
      from graphile_worker._private_tasks as t
      where t.id = j.task_id and t.identifier = any($2) and j.locked_by = any($1) and attempts >= max_attempts`,
    [holders, WITH_AN_END],
  )
  await pool.query('select graphile_worker.force_unlock_workers($1)', [holders])
}

export function keepFreeing(pool: Pool): { stop(): void } {
  const look = () => void freeAbandoned(pool).catch(() => {})
  look()
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

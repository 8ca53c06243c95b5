/** Frees jobs of dead processes, which the queue would hold for 4 hours: living ones hold a lock on their queue's id. */
import type { ClientBase, Pool } from 'pg'

const EVERY_MS = 30_000

const LOCK = `hashtextextended('liftwell jobs ' || $1, 0)`

/** The lock lasts as long as the connection. */
export async function showAlive(client: ClientBase, queueId: string): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${LOCK})`, [queueId])
}

/** Frees jobs whose holder is dead. A new holder gets 30 seconds to take its lock. */
export async function freeAbandoned(pool: Pool): Promise<void> {
  await pool.query(`
    select graphile_worker.force_unlock_workers(array_agg(holder)) from (
      select distinct locked_by as holder from graphile_worker._private_jobs
      where locked_by is not null and locked_at < now() - interval '30 seconds' offset 0) as holders
    where pg_try_advisory_xact_lock(${LOCK.replace('$1', 'holder')})`)
}

export function keepFreeing(pool: Pool): { stop(): void } {
  const look = () => void freeAbandoned(pool).catch(() => {})
  look()
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

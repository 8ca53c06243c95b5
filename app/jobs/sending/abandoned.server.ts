/** Frees jobs of processes that died: the living ones hold a lock named after their queue. The queue waits 4 hours. */
import type { ClientBase, Pool } from 'pg'

const EVERY_MS = 30_000

const LOCK = `hashtextextended('liftwell jobs ' || $1, 0)`

/** For as long as the connection lives. */
export async function showAlive(client: ClientBase, queueId: string): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${LOCK})`, [queueId])
}

/** Gives back what nobody who lives has taken. Who just took it has a moment to show itself. */
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

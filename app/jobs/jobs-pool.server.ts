/** The connection pool of a job queue. */
import type { Pool, PoolClient } from 'pg'
import { openPool } from '#app/db/pool.server.ts'
import { WORKER_STATEMENT_MS } from '#app/db/timeouts.ts'

type Connected = (err: Error | undefined, client: PoolClient | undefined, release?: Release) => void
type Release = (err?: Error | boolean) => void

export function openJobsPool(url: string): Pool {
  const pool = openPool(url, { max: 4, name: 'liftwell jobs', statement_timeout: WORKER_STATEMENT_MS })
  const connect = pool.connect.bind(pool)
  // graphile-worker releases its listener twice when it stops while LISTEN is unanswered, and waits for neither.
  pool.connect = ((connected?: Connected) =>
    connected
      ? connect((err, client, release) => connected(err, client, release && once(release)))
      : connect()) as Pool['connect']
  return pool
}

function once(release: Release): Release {
  let isReleased = false
  return (err) => {
    if (isReleased) return
    isReleased = true
    release(err)
  }
}

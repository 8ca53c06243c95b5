/** Connection pools that survive the loss of any connection. */
import pg from 'pg'
import { LastingClient, type LastingConfig, REACHING, silence } from './client.server.ts'
import { beginLate } from './late-begin.server.ts'
import { WAITING, WEB_STATEMENT_MS } from './timeouts.ts'
import { isPooled } from './url.ts'

export type PoolOptions = {
  max?: number
  /** Shown in pg_stat_activity. */
  name?: string
  /** Milliseconds. */
  statement_timeout?: number
  types?: pg.CustomTypesConfig
  options?: string
}

export function openPool(
  url: string,
  { max = 10, name = 'liftwell', statement_timeout = WEB_STATEMENT_MS, types, options }: PoolOptions = {},
): pg.Pool {
  const settings: LastingConfig = isPooled(url)
    ? { ...REACHING, pooled_answer_ms: statement_timeout }
    : { ...REACHING, ...WAITING, statement_timeout, ...(options && { options }) }
  const pool = new pg.Pool({
    ...settings,
    ...(types && { types }),
    Client: LastingClient,
    pipeline: true,
    connectionString: url,
    max,
    application_name: name,
    idleTimeoutMillis: 30_000,
    // Frees the plans that PostgreSQL keeps per connection, and gives other sizes of tenants their turn.
    maxLifetimeSeconds: 900,
  })
  // An idle connection that breaks is replaced at the next query.
  pool.on('error', () => {})
  distrustSilent(pool)
  pool.on('connect', beginLate)
  return pool
}

/** When one connection has died silently, idle ones not heard from since are dropped too, instead of failing one by one. */
function distrustSilent(pool: pg.Pool): void {
  const clients = new Set<LastingClient>()
  pool.on('connect', (client) => {
    if (!(client instanceof LastingClient)) return
    clients.add(client)
    client.once('end', () => clients.delete(client))
    client.once('silent', (since: number) => {
      for (const other of clients) if (!other.isBusy && other.heardAt <= since) other.destroy(silence())
    })
  })
}

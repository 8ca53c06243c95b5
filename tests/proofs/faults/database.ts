/** The database under the product, as whoever runs its machine can treat it. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { TcpProxy } from '#tests/support/tcp-proxy.ts'

/** How the product reaches its database while a proxy stands between; `end` takes the proxy away again. */
export type Way = { proxy: TcpProxy; end(): Promise<void> }

export type Database = {
  /** As a superuser, past every proxy. */
  adminUrl(): string
  /** The roles' passwords derive from it, where the server is the product's own. */
  secret?(): string
  /** The postmaster's number; undefined where its machine is not ours. */
  postmaster(): number | undefined
  /** Starts a server again that does not come back by itself. */
  comeBack(): Promise<void>
  way(): Promise<Way>
  /** Takes the last byte of its disk, and gives all back; null where the disk is not ours to fill. */
  disk: { fill(): void; free(): void } | null
  close(): Promise<void>
}

const MAX_MS_TO_LEAVE = 2000

export async function withAdmin<Result>(
  database: Pick<Database, 'adminUrl'>,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: database.adminUrl(),
    connectionTimeoutMillis: 10_000,
    // A server that was frozen or killed meanwhile would be waited for without end.
    query_timeout: 60_000,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await Promise.race([client.end().catch(() => {}), sleep(MAX_MS_TO_LEAVE, undefined, { ref: false })])
  }
}

/** Ends the product's connections. Those that only listen or hold a lock go as well. */
export const terminateAll = (client: pg.Client) =>
  client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'prove:faults'`,
  )

/** Takes every connection that the server has, the product's own too; the returned function gives them back. */
export async function takeAllConnections(database: Pick<Database, 'adminUrl'>): Promise<() => Promise<void>> {
  const taken: pg.Client[] = []
  const takeFree = async () => {
    for (;;) {
      const client = new pg.Client({
        connectionString: database.adminUrl(),
        application_name: 'prove:faults',
      })
      client.on('error', () => {})
      try {
        await client.connect()
      } catch {
        return
      }
      taken.push(client)
    }
  }
  await takeFree()
  if (taken[0]) await terminateAll(taken[0])
  await takeFree()
  return async () => {
    await Promise.all(taken.map((client) => client.end().catch(() => {})))
  }
}

/** The database under the product, with everything its machine's operator can do to it. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { TcpProxy } from '#tests/support/tcp-proxy.ts'

/** The product's connection to its database through a proxy; `end` removes the proxy. */
export type Way = { proxy: TcpProxy; end(): Promise<void> }

export type Database = {
  /** A superuser's URL, past every proxy. */
  adminUrl(): string
  /** The secret from which the roles' passwords derive, if the server is the product's own. */
  secret?(): string
  /** The postmaster's pid; undefined where its machine is not ours. */
  postmaster(): number | undefined
  /** Restarts a server that does not restart by itself. */
  comeBack(): Promise<void>
  way(): Promise<Way>
  /** Fills its disk to the last byte, and frees it again; null where the disk is not ours to fill. */
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
    // Otherwise a server frozen or killed meanwhile would be waited for forever.
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

/** Terminates the product's connections, including those that only listen or hold a lock. */
export const terminateAll = (client: pg.Client) =>
  client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'prove:faults'`,
  )

/** Takes every connection the server has, even the product's; the returned function releases them. */
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

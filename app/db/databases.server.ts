/** The databases of this process, opened once and shared. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Config } from '#app/config.server.ts'
import { connect } from './connect.server.ts'
import { type EmbeddedServer, startEmbedded } from './embedded/start.server.ts'
import { bringUpToDate, requireMigrated } from './migrate.server.ts'
import { derivePasswords, prepareDatabase } from './prepare.server.ts'
import { openReplica, type Replica } from './replica.server.ts'
import { requireServer } from './require-server.server.ts'
import type { DB } from './schema.ts'
import { WORKER_STATEMENT_MS } from './timeouts.ts'
import { requireWall } from './wall.server.ts'

export type Databases = {
  app: Kysely<DB>
  /** The jobs' role: claims across tenants, everything else in a scope. */
  worker: Kysely<DB>
  /** A read replica for expensive reads. */
  replica?: Replica | undefined
  appUrl: string
  identityUrl: string
  /** A direct URL, without a pooler: LISTEN and advisory locks need a session. */
  workerUrl: string
  ownerUrl?: string
  notice?: string
  /** Whether the database answers, within two seconds. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}

type Urls = {
  appUrl: string
  workerUrl: string
  workerDirectUrl?: string | undefined
  identityUrl: string
  ownerUrl?: string | undefined
}
type Settings = Pick<
  Config,
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'DATABASE_OWNER_URL'
  | 'DATABASE_WORKER_URL'
  | 'DATABASE_IDENTITY_URL'
  | 'DATABASE_POOL_SIZE'
> &
  Partial<Pick<Config, 'DATABASE_WAIT_SECONDS' | 'DATABASE_WORKER_DIRECT_URL' | 'DATABASE_READ_URL'>>

let opened: Databases | undefined

/** For several processes, which use it like an external database: each has its own connections. */
export async function openEmbedded({ DATA_DIR, DATABASE_POOL_SIZE, WEB_CONCURRENCY }: Config) {
  const connections = OTHER_CONNECTIONS + WEB_CONCURRENCY * (2 * DATABASE_POOL_SIZE + OTHER_CONNECTIONS)
  const server = await startEmbedded({
    dataDir: DATA_DIR,
    settings: { max_connections: String(Math.max(100, connections)) },
  })
  try {
    return { urls: await urlsOfEmbedded(server), notice: server.notice, stop: server.stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Connections of the provider, the jobs, the listener, and maintenance. */
const OTHER_CONNECTIONS = 16

export function getDatabases(): Databases {
  if (!opened) throw new Error('The databases are not open yet.')
  return opened
}

/** `tellOfReplica` is called when use of the replica begins or ends. `signal` stops the embedded server. */
export async function openDatabases(
  config: Settings,
  tellOfReplica?: (isUsed: boolean) => void,
  signal?: AbortSignal,
): Promise<Databases> {
  if (opened) throw new Error('The databases are already open.')
  const server = config.DATABASE_URL ? undefined : await startEmbedded({ dataDir: config.DATA_DIR, signal })
  try {
    const urls = server ? await urlsOfEmbedded(server) : await urlsOfConfig(config)
    await (urls.ownerUrl ? bringUpToDate(urls.ownerUrl) : requireMigrated(urls.appUrl))
    const databases = await connectAll(urls, config.DATABASE_POOL_SIZE, server)
    opened = config.DATABASE_READ_URL ? await withReplica(databases, config, tellOfReplica) : databases
    return opened
  } catch (error) {
    await server?.stop()
    throw error
  }
}

async function urlsOfEmbedded(server: EmbeddedServer): Promise<Urls> {
  return prepareDatabase(server.adminUrl, {
    database: 'liftwell',
    passwords: derivePasswords(server.secret),
    isOurs: true,
  })
}

async function urlsOfConfig(config: Settings): Promise<Urls> {
  const { DATABASE_URL, DATABASE_WORKER_URL, DATABASE_IDENTITY_URL, DATABASE_OWNER_URL } = config
  if (!DATABASE_URL || !DATABASE_WORKER_URL || !DATABASE_IDENTITY_URL) {
    throw new Error('DATABASE_URL needs DATABASE_WORKER_URL and DATABASE_IDENTITY_URL beside it.')
  }
  const waitMs = (config.DATABASE_WAIT_SECONDS ?? 0) * 1_000
  await requireServer('DATABASE_URL', DATABASE_URL, waitMs)
  await requireServer('DATABASE_WORKER_URL', DATABASE_WORKER_URL)
  await requireServer('DATABASE_IDENTITY_URL', DATABASE_IDENTITY_URL)
  const { DATABASE_WORKER_DIRECT_URL } = config
  if (DATABASE_WORKER_DIRECT_URL)
    await requireServer('DATABASE_WORKER_DIRECT_URL', DATABASE_WORKER_DIRECT_URL)
  if (DATABASE_OWNER_URL) await requireServer('DATABASE_OWNER_URL', DATABASE_OWNER_URL)
  return {
    appUrl: DATABASE_URL,
    workerUrl: DATABASE_WORKER_URL,
    workerDirectUrl: DATABASE_WORKER_DIRECT_URL,
    identityUrl: DATABASE_IDENTITY_URL,
    ownerUrl: DATABASE_OWNER_URL,
  }
}

async function connectAll(urls: Urls, poolSize: number, server?: EmbeddedServer): Promise<Databases> {
  const app = connect(urls.appUrl, { max: poolSize, name: 'liftwell app' })
  const worker = connect(urls.workerUrl, {
    max: poolSize,
    name: 'liftwell worker',
    statement_timeout: WORKER_STATEMENT_MS,
  })
  const disconnect = () => Promise.all([app.destroy(), worker.destroy()])
  try {
    await requireWall(app)
    await requireWall(worker)
  } catch (error) {
    await disconnect()
    throw error
  }
  return {
    app,
    worker,
    appUrl: urls.appUrl,
    identityUrl: urls.identityUrl,
    workerUrl: urls.workerDirectUrl ?? urls.workerUrl,
    ...(urls.ownerUrl && { ownerUrl: urls.ownerUrl }),
    ...(server?.notice !== undefined && { notice: server.notice }),
    isReady: () => answers(app),
    async close() {
      opened = undefined
      await disconnect()
      await server?.stop()
    },
  }
}

async function withReplica(
  databases: Databases,
  { DATABASE_READ_URL = '', DATABASE_POOL_SIZE: max }: Settings,
  tell?: (isUsed: boolean) => void,
): Promise<Databases> {
  try {
    const replica = await openReplica(DATABASE_READ_URL, databases.app, { max, ...(tell && { tell }) })
    return {
      ...databases,
      replica,
      close: async () => {
        await replica.close()
        await databases.close()
      },
    }
  } catch (error) {
    await databases.close()
    throw error
  }
}

async function answers(database: Kysely<DB>): Promise<boolean> {
  const answer = sql`select`.execute(database).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, sleep(2_000, false, { ref: false })])
}

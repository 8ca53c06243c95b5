/** A PostgreSQL connection whose loss never ends the process or blocks a caller, even when it goes silent. */
import type { Socket } from 'node:net'
import pg from 'pg'

/** How long a connection may be silent before the watch checks on it. */
export const SILENT_MS = 4_000
const ASKING_MS = 2_500
const ONCE_MORE_MS = 1_000
/** Grace for the server to end a statement itself at its timeout, before the connection is dropped. */
const GRACE_MS = 500

export const REACHING = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const satisfies pg.ClientConfig

/** Through a pooler, session settings and server pids mean nothing: the role's settings apply, and we limit the wait. */
export type LastingConfig = pg.ClientConfig & { pooled_answer_ms?: number }

/** Members of `pg` that its types lack. */
type Inside = { connection: { stream: Socket }; readyForQuery: boolean; processID: number }

/** A connection that broke or fell silent between two queries fails the next one. */
export class LastingClient extends pg.Client {
  heardAt = 0

  constructor(config: LastingConfig = {}) {
    super(config)
    this.on('error', () => {})
    this.once('connect', () => watchSilence(this, config))
  }

  get isBusy(): boolean {
    return !(this as unknown as Inside).readyForQuery
  }

  /** Closes the socket without a goodbye to the server, which may not answer. */
  destroy(reason?: Error): void {
    ;(this as unknown as Inside).connection.stream.destroy(reason)
  }
}

/** A single connection outside any pool; its statements have no time limit. */
export function createClient(connectionString: string, config: pg.ClientConfig = {}): LastingClient {
  return new LastingClient({ ...REACHING, connectionString, ...config })
}

function watchSilence(client: LastingClient, config: LastingConfig): void {
  const inside = client as unknown as Inside
  const { stream } = inside.connection
  const isPooled = config.pooled_answer_ms !== undefined
  const hear = () => {
    client.heardAt = performance.now()
  }
  hear()
  stream.on('data', hear)
  const limit =
    Number(config.pooled_answer_ms ?? config.statement_timeout) + GRACE_MS || Number.POSITIVE_INFINITY
  let silentFor = 0
  let heard = stream.bytesRead

  async function look(): Promise<void> {
    if (!client.isBusy || stream.destroyed) return
    const waited = stream.timeout ?? SILENT_MS
    silentFor = stream.bytesRead === heard ? silentFor + waited : waited
    heard = stream.bytesRead
    const began = performance.now()
    const isWorking = silentFor < limit && (isPooled || (await worksFor(inside.processID, config)))
    if (stream.bytesRead !== heard || stream.destroyed) return
    silentFor += performance.now() - began
    if (!isWorking) {
      client.emit('silent', performance.now() - silentFor)
      return client.destroy(silence())
    }
    stream.setTimeout(Math.min(SILENT_MS, Math.max(ONCE_MORE_MS, limit - silentFor)))
  }
  stream.on('timeout', look)
  stream.setTimeout(SILENT_MS)
}

export const silence = () =>
  Object.assign(new Error('The connection to the database fell silent.'), { code: 'ETIMEDOUT' })

/** Whether the server still works on the query. Terminates a session that waits for us instead: it holds locks. */
async function worksFor(pid: number, config: pg.ClientConfig): Promise<boolean> {
  const asker = new LastingClient({
    ...config,
    connectionTimeoutMillis: ASKING_MS,
    query_timeout: ASKING_MS,
    application_name: 'liftwell watch',
  })
  try {
    await asker.connect()
    const { rows } = await asker.query<{ works: boolean }>(
      `select state = 'active' and wait_event is distinct from 'ClientWrite'
        or state_change > now() - interval '1 second' as works
      from pg_stat_activity where pid = $1 and usename = current_user`,
      [pid],
    )
    if (rows[0]?.works) return true
    if (rows[0]) await asker.query('select pg_terminate_backend($1)', [pid])
    return false
  } catch (error) {
    // A server without room for one more connection says nothing about the existing ones.
    return String((error as { code?: unknown }).code).startsWith('53')
  } finally {
    asker.destroy()
  }
}

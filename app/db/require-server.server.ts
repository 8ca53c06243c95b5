import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type LastingClient } from './client.server.ts'
import { DatabaseStartError } from './embedded/database-start-error.ts'

const OLDEST_MAJOR = 15

const TRY_AGAIN_MS = 1_000
/** Errors of a server that is away, starting or full of connections: temporary, unlike a wrong password. */
const PASSES = /^(08|53300|57P0[123]|ECONN|EPIPE|ENOENT|ETIMEDOUT|E(HOST|NET)UNREACH|EAI_AGAIN)/

/** Connects once: the server must answer within `waitMs`, accept us, and be new enough. */
export async function requireServer(variable: string, url: string, waitMs = 0): Promise<void> {
  const client = await reach(variable, url, performance.now() + waitMs)
  const { host, port } = client
  try {
    const { rows } = await client.query<{ number: string }>('select current_setting($1) as number', [
      'server_version_num',
    ])
    const major = Math.floor(Number(rows[0]?.number) / 10_000)
    if (major >= OLDEST_MAJOR) return
    throw new DatabaseStartError(
      `${variable}: the server at ${host}:${port} is PostgreSQL ${major}; Liftwell needs ${OLDEST_MAJOR} or newer.`,
    )
  } finally {
    await client.end()
  }
}

async function reach(variable: string, url: string, until: number, isTold = false): Promise<LastingClient> {
  const client = createClient(url)
  try {
    await client.connect()
    return client
  } catch (error) {
    const { host, port, database } = client
    client.destroy()
    const what = `${variable}: the database ${database} at ${host}:${port} cannot be used: ${reasonOf(error)}`
    if (!isPassing(error) || performance.now() >= until) throw new DatabaseStartError(what)
    const seconds = Math.ceil((until - performance.now()) / 1_000)
    if (!isTold) process.stderr.write(`${what}\nWaiting for it, ${seconds} seconds at most …\n`)
    await sleep(TRY_AGAIN_MS)
    return reach(variable, url, until, true)
  }
}

function isPassing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return PASSES.test(String(code)) || /timeout expired|Connection terminated/.test(String(message))
}

/** Node reports a refused connection to a name with several addresses as an AggregateError without a message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

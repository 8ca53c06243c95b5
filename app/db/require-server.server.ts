/** Says in a sentence what is wrong with a database that we were told to use. */
import pg from 'pg'
import { DatabaseStartError } from './embedded/database-start-error.ts'

const OLDEST_MAJOR = 15

/** Connects once: the server must answer, know us, and be new enough. */
export async function requireServer(variable: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  const { host, port, database } = client
  try {
    await client.connect()
  } catch (error) {
    const why = reasonOf(error)
    throw new DatabaseStartError(
      `${variable}: the database ${database} at ${host}:${port} cannot be used: ${why}`,
    )
  }
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

/** A refused connection to a name with several addresses is an AggregateError without a message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

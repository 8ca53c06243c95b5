import type { Pool, PoolClient } from 'pg'
import { IdentityError } from './errors.ts'

/** Commits even when a step is refused, because a wrong code must be counted. */
export async function inTransaction<Result>(
  database: Pool,
  run: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await database.connect()
  let isBroken = false
  try {
    await client.query('begin')
    const result = await run(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query(error instanceof IdentityError ? 'commit' : 'rollback').catch(() => {
      isBroken = true
    })
    throw error
  } finally {
    client.release(isBroken)
  }
}

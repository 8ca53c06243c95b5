/** Where somebody with an e-mail address signs in. */
import { sql } from 'kysely'
import type { Database } from '#app/domain/scope/scope.server.ts'
import type { PoolConfiguration } from './pool.ts'

/**
 * An unknown address gets the default pool, by the same query: the answer says nothing about who exists. Another
 * provider is named as it names itself.
 */
export async function findPool(database: Database, email: string): Promise<PoolConfiguration> {
  const { rows } = await sql<PoolConfiguration>`
    select case kind when 'embedded' then id when 'cognito' then regexp_replace(issuer, '^.*/', '') else issuer end
        as "userPoolId",
      client_id as "userPoolWebClientId", kind, login_mode
    from find_pool(${email}::citext)`.execute(database)
  const [pool] = rows
  if (!pool) throw new Error('No pool is the default one.')
  return pool
}

/** Serializes planning for a person, to keep to one lift and one reminder a day. */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'

/** Limits the locks of a transaction, however many people it plans for. */
const LOCKS = 64

/** Without it, two journeys planned at the same moment would both find the person's day free. */
export async function lockDays({ db }: Pick<Scope, 'db'>, userIds: readonly number[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(scope_tenant()::text || 'days ' || part, 0))
    from (select distinct id % ${LOCKS} as part from unnest(${userIds}::bigint[]) as id order by 1) parts`.execute(
    db,
  )
}

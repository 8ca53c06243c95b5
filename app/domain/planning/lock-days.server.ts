/** One lift and one reminder a day: those who plan for a person do so one after the other. */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'

/** A transaction holds only so many locks, however many people it plans for. */
const LOCKS = 64

/** Two journeys that are planned in the same moment would each find the person's day free. */
export async function lockDays({ db }: Pick<Scope, 'db'>, userIds: readonly number[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(scope_tenant()::text || 'days ' || part, 0))
    from (select distinct id % ${LOCKS} as part from unnest(${userIds}::bigint[]) as id order by 1) parts`.execute(
    db,
  )
}

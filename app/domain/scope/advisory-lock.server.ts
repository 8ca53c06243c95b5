/** Locks by name that a transaction holds until its end. */
import { sql } from 'kysely'
import type { Scope } from './scope.server.ts'

/**
 * Senders that count the same thing count one after the other, until what they counted is committed. Several are taken
 * in one order by all, so that no two wait for each other.
 */
export async function takeTurns({ db }: Pick<Scope, 'db'>, ...whats: string[]): Promise<void> {
  if (whats.length === 0) return
  await sql`select pg_advisory_xact_lock(hashtextextended(scope_tenant()::text || what, 0))
    from (select distinct what from unnest(${whats}::text[]) as what order by what offset 0) as turns`.execute(
    db,
  )
}

/** The same beside others who take it so; those who take turns wait for all of them, and they for those. */
export async function takeTurnsBeside({ db }: Pick<Scope, 'db'>, what: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(scope_tenant()::text || ${what}, 0))`.execute(
    db,
  )
}

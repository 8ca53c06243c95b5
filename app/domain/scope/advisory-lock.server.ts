/** Named advisory locks, held until the end of the transaction. */
import { sql } from 'kysely'
import type { Scope } from './scope.server.ts'

/**
 * An exclusive lock: transactions that count the same thing run one after the other, each until its commit. Several
 * locks are always taken in the same order, to avoid deadlocks.
 */
export async function takeTurns({ db }: Pick<Scope, 'db'>, ...whats: string[]): Promise<void> {
  if (whats.length === 0) return
  await sql`select pg_advisory_xact_lock(hashtextextended(scope_tenant()::text || what, 0))
    from (select distinct what from unnest(${whats}::text[]) as what order by what offset 0) as turns`.execute(
    db,
  )
}

/** A shared lock: its holders run concurrently with each other, but never with a holder of the exclusive lock. */
export async function takeTurnsBeside({ db }: Pick<Scope, 'db'>, what: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(scope_tenant()::text || ${what}, 0))`.execute(
    db,
  )
}

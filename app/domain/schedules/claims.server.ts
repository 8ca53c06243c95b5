/**
 * Claiming messages for every tenant at once. The worker's role sees the send table without a scope
 * for this alone; what it does with a claim happens inside that tenant's scope.
 */
import { sql } from 'kysely'
import type { Database } from '../scope.server.ts'

export type Claim = { tenant_id: string; id: number; state: 'claimed' | 'unknown' }

const LEASE_SECONDS = 60

/**
 * Due messages become `claimed`. A message that somebody was sending when their lease ran out may have
 * left: it becomes `unknown`, and only the carrier can say.
 */
export async function claimDispatches(database: Database, owner: string, limit: number): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    with picked as (
      select tenant_id, id, state from dispatches
      where (state in ('planned', 'unknown') and next_attempt_at <= now() and (lease_until is null or lease_until < now()))
         or (state in ('claimed', 'sending') and lease_until < now())
      order by next_attempt_at, id limit ${limit}
      for update skip locked
    )
    update dispatches d
    set state = case when picked.state in ('sending', 'unknown') then 'unknown' else 'claimed' end,
        lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from picked where d.tenant_id = picked.tenant_id and d.id = picked.id
    returning d.tenant_id, d.id, d.state`.execute(database)
  return rows
}

/** Gives back what was claimed and not begun. */
export async function releaseClaims(database: Database, owner: string): Promise<void> {
  await sql`update dispatches set state = 'planned', lease_owner = null, lease_until = null
    where state = 'claimed' and lease_owner = ${owner}`.execute(database)
}

/** When the next message wants attention, if any. */
export async function nextDueAt(database: Database): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(case when state in ('claimed', 'sending') then lease_until else greatest(next_attempt_at, lease_until) end) as at
    from dispatches where state in ('planned', 'claimed', 'sending', 'unknown')`.execute(database)
  return rows[0]?.at ?? null
}

/** What the lifts of a journey have come to: changes, summed when they are many. */
import { sql } from 'kysely'
import type { Scope } from '../scope.server.ts'

export async function foldTallies({ db }: Scope, journeyId: number): Promise<void> {
  await sql`
    with gone as (delete from lift_tallies where journey_id = ${journeyId} returning *)
    insert into lift_tallies (tenant_id, journey_id, lift_id, assigned, accepted, opened, responded, completed,
      unknown, failed)
    select tenant_id, journey_id, lift_id, sum(assigned), sum(accepted), sum(opened), sum(responded), sum(completed),
      sum(unknown), sum(failed)
    from gone group by 1, 2, 3`.execute(db)
}

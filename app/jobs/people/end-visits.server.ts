/** Ends visits (impersonations) that are overdue, even if the visitor never comes back. */
import { inScope, operatorActor, systemActor } from '#app/domain/scope/scope.server.ts'
import { endOverdueVisits } from '#app/domain/tenants/visits.server.ts'
import type { JobContext } from '#app/jobs/context.ts'

export async function endVisits({ database }: Pick<JobContext, 'database'>): Promise<void> {
  const home = await inScope(database, operatorActor(), ({ db }) =>
    db.selectFrom('tenants').select('id').where('is_operator', '=', true).executeTakeFirst(),
  )
  if (home) await inScope(database, systemActor(home.id), endOverdueVisits)
}

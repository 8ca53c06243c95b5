/** Counts the people and running journeys of each tenant, for the list of tenants (decision 83). */
import { sql } from 'kysely'
import { inScope, operatorActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from './context.ts'

export const countTenants = ({ database }: Pick<JobContext, 'database'>): Promise<void> =>
  inScope(database, operatorActor(), async ({ db }) => {
    await sql`update tenants t set people = c.people, running_journeys = c.running_journeys
      from counts_of_tenants() c where t.id = c.tenant_id
        and (t.people, t.running_journeys) is distinct from (c.people, c.running_journeys)`.execute(db)
  })

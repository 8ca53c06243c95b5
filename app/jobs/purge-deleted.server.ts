/** Each night, purges what was deleted 30 days ago, one tenant after the other. */
import { sql } from 'kysely'
import { inScope, operatorActor, systemActor } from '#app/domain/scope/scope.server.ts'
import { purgeSubTenant, purgeTenant } from '#app/domain/tenants/purging.server.ts'
import type { JobContext } from './context.ts'

type Needed = Pick<JobContext, 'database' | 'log'>
type Ended = { tenant_id: string }

export async function purgeDeleted({ database, log }: Needed): Promise<void> {
  /** A purge that fails does not stop the others; the next night retries it. */
  const attempt = async (what: object, work: () => Promise<void>) => {
    try {
      await work()
      log.info({ event: 'purged', ...what })
    } catch (err) {
      log.error({ event: 'purge.failed', err, ...what })
    }
  }
  const tenants = await sql<Ended & { operator_id: string }>`select * from ended_tenants()`.execute(database)
  for (const { tenant_id, operator_id } of tenants.rows) {
    const actor = { ...operatorActor(), tenant_id }
    await attempt({ tenant_id }, () => inScope(database, actor, (scope) => purgeTenant(scope, operator_id)))
  }
  const subTenants = await sql<Ended & { id: string }>`select * from ended_sub_tenants()`.execute(database)
  for (const { tenant_id, id } of subTenants.rows) {
    await attempt({ tenant_id, sub_tenant_id: id }, () =>
      inScope(database, systemActor(tenant_id), (scope) => purgeSubTenant(scope, id)),
    )
  }
}

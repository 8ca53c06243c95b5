/** The time zone and current day of the signed-in person, as SQL. */
import { sql } from 'kysely'
import { type Scope, scopeUser } from '../scope/scope.server.ts'

export const OWN_ZONE = sql<string>`coalesce((select coalesce(u.timezone, s.timezone, t.timezone) from users u
  join tenants t on t.id = u.tenant_id
  left join sub_tenants s on s.tenant_id = u.tenant_id and s.id = scope_sub_tenant()
  where u.id = ${scopeUser}), 'UTC')`

/** As `YYYY-MM-DD`. */
export const OWN_TODAY = sql<string>`to_char(scope_now() at time zone ${OWN_ZONE}, 'YYYY-MM-DD')`

export async function ownToday({ db }: Scope): Promise<string> {
  const { today } = await db.selectNoFrom(OWN_TODAY.as('today')).executeTakeFirstOrThrow()
  return today
}

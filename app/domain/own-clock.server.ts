import { todayIn } from './clock.server.ts'
import type { Scope } from './scope.server.ts'

export async function ownZone({ actor, db }: Scope): Promise<string> {
  const row = await db
    .selectFrom('users as u')
    .innerJoin('tenants as t', 't.id', 'u.tenant_id')
    .select((eb) => eb.fn.coalesce('u.timezone', 't.timezone').as('zone'))
    .where('u.id', '=', actor.user_id ?? 0)
    .executeTakeFirst()
  return row?.zone ?? 'UTC'
}

export const ownToday = async (scope: Scope): Promise<string> => todayIn(scope, await ownZone(scope))

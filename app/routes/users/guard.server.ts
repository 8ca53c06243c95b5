import type { LoaderFunctionArgs } from '@remix-run/node'
import { listSubTenantChoices } from '#app/api/contract/tenancy/sub-tenants.ts'
import { listTimezones } from '#app/api/contract/tenancy/tenants.ts'
import { may, type Permission } from '#app/domain/access/permissions.ts'
import { dialCodes as listDialCodes } from '#app/domain/users/phone/phone.ts'
import { noPermission, requireDashboard, type Visitor } from '#app/routes/guards.server.ts'

/** For people with this permission over the people of their company. */
export async function requirePeople(
  args: Pick<LoaderFunctionArgs, 'request' | 'context'>,
  permission: Permission,
): Promise<Visitor> {
  const visitor = await requireDashboard(args)
  if (!may(visitor.actor, permission)) throw noPermission()
  return visitor
}

/** The choices in the form of a person: time zones, and the places of roles. */
export async function readChoices({ api, actor }: Pick<Visitor, 'api' | 'actor'>) {
  const [timezones, { data: subTenants }] = await Promise.all([api(listTimezones), api(listSubTenantChoices)])
  const dialCodes = listDialCodes()
  return {
    timezones,
    dialCodes,
    subTenants: subTenants.map(({ id, name }) => ({ id, name })),
    within: actor.sub_tenant_id,
  }
}

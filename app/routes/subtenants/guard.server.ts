import type { LoaderFunctionArgs } from '@remix-run/node'
import { mayManageSubTenants } from '#app/domain/access/permissions.ts'
import { noPermission, requireDashboard, type Visitor } from '#app/routes/guards.server.ts'

/** For administrators of sub-tenants in their tenant. */
export async function requireSubTenantAdmin(
  args: Pick<LoaderFunctionArgs, 'request' | 'context'>,
): Promise<Visitor> {
  const visitor = await requireDashboard(args)
  if (!mayManageSubTenants(visitor.actor)) throw noPermission()
  return visitor
}

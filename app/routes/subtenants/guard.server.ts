import { data, type LoaderFunctionArgs } from '@remix-run/node'
import { mayManageSubTenants } from '#app/domain/access/permissions.ts'
import { requireDashboard, type Visitor } from '#app/routes/guards.server.ts'

/** For administrators of sub-tenants in their tenant. */
export async function requireSubTenantAdmin(
  args: Pick<LoaderFunctionArgs, 'request' | 'context'>,
): Promise<Visitor> {
  const visitor = await requireDashboard(args)
  if (!mayManageSubTenants(visitor.actor))
    throw data('You do not have permission to do this.', { status: 403 })
  return visitor
}

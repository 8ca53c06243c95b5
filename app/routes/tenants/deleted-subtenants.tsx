import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listSubTenants, restoreSubTenant } from '#app/api/contract/tenancy/sub-tenants.ts'
import { getTenant } from '#app/api/contract/tenancy/tenants.ts'
import { parseOrder } from '#app/domain/page.ts'
import { SUB_TENANT_ORDERS, SubTenantSearch } from '#app/domain/tenants/sub-tenant.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { DeletedPage } from './deleted-page.tsx'
import { restore } from './restore.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Deleted sub-tenants of ${isolated(data?.tenant.name ?? 'a tenant')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const { page, order, q } = SubTenantSearch.parse(searchOf(args.request))
  const query = { page, q, deleted: true, ...parseOrder(order, SUB_TENANT_ORDERS) }
  const [tenant, list] = await Promise.all([
    api(getTenant, { id: args.params.tenantId }),
    api(listSubTenants, { id: args.params.tenantId }, query),
  ])
  return { tenant, list, q }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const { tenantId } = args.params
  const parts = encodePath`/tenants/${tenantId}/subtenants`
  return restore(await args.request.formData(), {
    restoring: (id) => api(restoreSubTenant, { id: tenantId, subId: id }),
    editHref: (id) => `${parts}/${id}/edit`,
    here: `${parts}/deleted`,
  })
}

export default function DeletedSubTenantsOfTenant() {
  const { tenant, ...shown } = useLoaderData<typeof loader>()
  const back = { to: `/tenants/${tenant.id}/subtenants`, children: 'Sub-tenants' }
  return <DeletedPage title={`Deleted sub-tenants of ${isolated(tenant.name)}`} back={back} {...shown} />
}

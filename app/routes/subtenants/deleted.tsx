import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listSubTenants, restoreSubTenant } from '#app/api/contract/tenancy/sub-tenants.ts'
import { parseOrder } from '#app/domain/page.ts'
import { SUB_TENANT_ORDERS, SubTenantSearch } from '#app/domain/tenants/sub-tenant.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { DeletedPage } from '#app/routes/tenants/deleted-page.tsx'
import { restore } from '#app/routes/tenants/restore.server.ts'
import { requireSubTenantAdmin } from './guard.server.ts'

export const meta: MetaFunction = () => [{ title: 'Deleted sub-tenants · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSubTenantAdmin(args)
  const { page, order, q } = SubTenantSearch.parse(searchOf(args.request))
  const query = { page, q, deleted: true, ...parseOrder(order, SUB_TENANT_ORDERS) }
  return { list: await api(listSubTenants, { id: 'me' }, query), q }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSubTenantAdmin(args)
  return restore(await args.request.formData(), {
    restoring: (id) => api(restoreSubTenant, { id: 'me', subId: id }),
    editHref: (id) => `/subtenants/${id}/edit`,
    here: '/subtenants/deleted',
  })
}

export default function DeletedSubTenants() {
  const shown = useLoaderData<typeof loader>()
  const back = { to: '/subtenants', children: 'Sub-tenants' }
  return <DeletedPage title="Deleted sub-tenants" back={back} {...shown} />
}

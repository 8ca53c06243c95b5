import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listTenants, restoreTenant } from '#app/api/contract/tenancy/tenants.ts'
import { parseOrder } from '#app/domain/page.ts'
import { TENANT_ORDERS, TenantSearch } from '#app/domain/tenants/tenant.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { DeletedPage } from './deleted-page.tsx'
import { restore } from './restore.server.ts'

export const meta: MetaFunction = () => [{ title: 'Deleted tenants · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const { page, order, q } = TenantSearch.parse(searchOf(args.request))
  const list = await api(listTenants, { page, q, deleted: true, ...parseOrder(order, TENANT_ORDERS) })
  return { list, q }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  return restore(await args.request.formData(), {
    restoring: (id) => api(restoreTenant, { id }),
    editHref: (id) => `/tenants/edit/${id}`,
    here: '/tenants/deleted',
  })
}

export default function DeletedTenants() {
  const shown = useLoaderData<typeof loader>()
  return <DeletedPage title="Deleted tenants" back={{ to: '/tenants', children: 'Tenants' }} {...shown} />
}

import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getSubTenant } from '#app/api/contract/tenancy/sub-tenants.ts'
import { listTimezones } from '#app/api/contract/tenancy/tenants.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { EditSubTenantPage } from '#app/routes/subtenants/edit-page.tsx'
import { editSubTenant } from '#app/routes/subtenants/save-sub-tenant.server.ts'
import { deleteTitle } from '#app/ui/delete-section.tsx'

export const meta: MetaFunction<typeof loader> = ({ data, location }) => [
  { title: deleteTitle(data?.subTenant.name ?? 'Sub-tenant', location) },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const { tenantId, subTenantId } = args.params
  const [subTenant, timezones] = await Promise.all([
    api(getSubTenant, { id: tenantId, subId: subTenantId }),
    api(listTimezones),
  ])
  return { subTenant, timezones }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const { tenantId = '', subTenantId = '' } = args.params
  const list = `/tenants/${tenantId}/subtenants`
  return editSubTenant(api, args.request, { tenantId, subTenantId, list })
}

export default function EditSubTenantOfTenant() {
  const { subTenant, timezones } = useLoaderData<typeof loader>()
  const list = `/tenants/${subTenant.tenant_id}/subtenants`
  const here = `${list}/${subTenant.id}/edit`
  return <EditSubTenantPage subTenant={subTenant} timezones={timezones} list={list} here={here} />
}

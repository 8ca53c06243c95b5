import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getSubTenant } from '#app/api/contract/tenancy/sub-tenants.ts'
import { listTimezones } from '#app/api/contract/tenancy/tenants.ts'
import { deleteTitle } from '#app/ui/delete-section.tsx'
import { EditSubTenantPage } from './edit-page.tsx'
import { requireSubTenantAdmin } from './guard.server.ts'
import { editSubTenant } from './save-sub-tenant.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data, location }) => [
  { title: deleteTitle(data?.subTenant.name ?? 'Sub-tenant', location) },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSubTenantAdmin(args)
  const [subTenant, timezones] = await Promise.all([
    api(getSubTenant, { id: 'me', subId: args.params.subTenantId }),
    api(listTimezones),
  ])
  return { subTenant, timezones }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSubTenantAdmin(args)
  const { subTenantId = '' } = args.params
  return editSubTenant(api, args.request, { tenantId: 'me', subTenantId, list: '/subtenants' })
}

export default function EditSubTenant() {
  const { subTenant, timezones } = useLoaderData<typeof loader>()
  const here = `/subtenants/${subTenant.id}/edit`
  return <EditSubTenantPage subTenant={subTenant} timezones={timezones} list="/subtenants" here={here} />
}

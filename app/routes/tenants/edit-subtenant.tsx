import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { encodePath } from '#app/api/path.ts'
import { SubTenant } from '#app/domain/tenants/sub-tenant.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { EditSubTenantPage } from '#app/routes/subtenants/edit-page.tsx'
import { editSubTenant } from '#app/routes/subtenants/save-sub-tenant.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.subTenant.name ?? 'Sub-tenant'} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const { tenantId, subTenantId } = args.params
  const [subTenant, timezones] = await Promise.all([
    api.get(encodePath`/tenants/${tenantId}/sub_tenants/${subTenantId}`, SubTenant),
    api.get('/tenants/timezones', z.array(z.string())),
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

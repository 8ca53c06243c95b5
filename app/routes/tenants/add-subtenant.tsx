import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getTenant, listTimezones } from '#app/api/contract/tenancy/tenants.ts'
import { hasSubTenants } from '#app/domain/tenants/tenant.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { addSubTenant } from '#app/routes/subtenants/save-sub-tenant.server.ts'
import { SubTenantFields } from '#app/routes/subtenants/sub-tenant-form.tsx'
import { Page } from '#app/ui/page.tsx'

export const meta: MetaFunction = () => [{ title: 'Add sub-tenant · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const [tenant, timezones] = await Promise.all([
    api(getTenant, { id: args.params.tenantId }),
    api(listTimezones),
  ])
  if (!hasSubTenants(tenant)) throw redirect(encodePath`/tenants/edit/${tenant.id}`)
  return { tenant, timezones }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const { tenantId = '' } = args.params
  return addSubTenant(api, args.request, tenantId, `/tenants/${tenantId}/subtenants`)
}

export default function AddSubTenantToTenant() {
  const { tenant, timezones } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Add sub-tenant"
      lead={`A part of ${isolated(tenant.name)} with its own people and journeys.`}
    >
      <SubTenantFields company={tenant} timezones={timezones} listHref={`/tenants/${tenant.id}/subtenants`} />
    </Page>
  )
}

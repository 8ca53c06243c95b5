import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getTenant, listTimezones } from '#app/api/contract/tenancy/tenants.ts'
import { hasSubTenants } from '#app/domain/tenants/tenant.ts'
import { requireSubTenantAdmin } from '#app/routes/subtenants/guard.server.ts'
import { Page } from '#app/ui/page.tsx'
import { addSubTenant } from './save-sub-tenant.server.ts'
import { SubTenantFields } from './sub-tenant-form.tsx'

export const meta: MetaFunction = () => [{ title: 'Add sub-tenant · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSubTenantAdmin(args)
  const [company, timezones] = await Promise.all([api(getTenant, { id: 'me' }), api(listTimezones)])
  if (!hasSubTenants(company)) throw redirect('/subtenants')
  return { company, timezones }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSubTenantAdmin(args)
  return addSubTenant(api, args.request, 'me', '/subtenants')
}

export default function AddSubTenant() {
  const { company, timezones } = useLoaderData<typeof loader>()
  return (
    <Page title="Add sub-tenant" lead="A part of the company with its own people and journeys.">
      <SubTenantFields company={company} timezones={timezones} listHref="/subtenants" />
    </Page>
  )
}

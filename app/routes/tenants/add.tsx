import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { createTenant, listTimezones } from '#app/api/contract/tenancy/tenants.ts'
import { TenantForm } from '#app/domain/tenants/tenant.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { readLogo } from '#app/routes/settings/read-logo.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { backAddress, useBackAddress } from '#app/ui/list/list-place.ts'
import { Page } from '#app/ui/page.tsx'
import { TenantFields } from './tenant-form.tsx'

export const meta: MetaFunction = () => [{ title: 'Add tenant · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  return { timezones: await api(listTimezones) }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  return saveForm(
    await args.request.formData(),
    TenantForm,
    async ({ logo, remove_logo, lock_version: _, ...input }) => {
      const body = { ...input, ...(await readLogo({ logo, remove_logo })) }
      const tenant = await api(createTenant, body)
      return redirectWithToast(backAddress('/tenants', new URL(args.request.url).searchParams), {
        title: 'Tenant added',
        message: tenant.name,
      })
    },
  )
}

export default function AddTenant() {
  const { timezones } = useLoaderData<typeof loader>()
  const list = useBackAddress()('/tenants')
  return (
    <Page title="Add tenant" lead="A new customer and its administrators.">
      <TenantFields timezones={timezones}>
        <ButtonLink to={list} variant="soft" color="gray">
          Cancel
        </ButtonLink>
      </TenantFields>
    </Page>
  )
}

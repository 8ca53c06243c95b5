import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { encodePath } from '#app/api/path.ts'
import { Tenant, TenantForm } from '#app/domain/tenants/tenant.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { readLogo } from '#app/routes/settings/read-logo.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { DeleteSection } from '#app/ui/delete-section.tsx'
import { backAddress, useBackAddress, useBesideAddress } from '#app/ui/list-place.ts'
import { Page } from '#app/ui/page.tsx'
import { TenantFields } from './tenant-form.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.tenant.name ?? 'Tenant'} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const [tenant, timezones] = await Promise.all([
    api.get(encodePath`/tenants/${args.params.tenantId}`, Tenant),
    api.get('/tenants/timezones', z.array(z.string())),
  ])
  return { tenant, timezones }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const path = encodePath`/tenants/${args.params.tenantId}`
  const list = backAddress('/tenants', new URL(args.request.url).searchParams)
  const formData = await args.request.formData()
  if (intentOf(formData, ['delete'])) {
    await api.delete(path)
    return redirectWithToast(list, { title: 'Tenant deleted' })
  }
  return saveForm(formData, TenantForm, async ({ logo, remove_logo, ...input }) => {
    const tenant = await api.put(path, { ...input, ...(await readLogo({ logo, remove_logo })) }, Tenant)
    return redirectWithToast(list, { title: 'Tenant saved', message: tenant.name })
  })
}

export default function EditTenant() {
  const { tenant, timezones } = useLoaderData<typeof loader>()
  const list = useBackAddress()('/tenants')
  const beside = useBesideAddress()
  return (
    <Page
      title={`Edit ${tenant.name}`}
      lead="Name, plan and defaults of this customer."
      action={
        <>
          {tenant.has_sub_tenants ? (
            <ButtonLink to={`/tenants/${tenant.id}/subtenants`} variant="soft">
              Sub-tenants
            </ButtonLink>
          ) : null}
          <ButtonLink to={beside(`/tenants/${tenant.id}/sign-in`)} variant="soft">
            Sign-in
          </ButtonLink>
        </>
      }
    >
      <TenantFields tenant={tenant} timezones={timezones}>
        <ButtonLink to={list} variant="soft" color="gray">
          Cancel
        </ButtonLink>
      </TenantFields>
      <DeleteSection
        what="tenant"
        name={tenant.name}
        here={beside(`/tenants/edit/${tenant.id}`)}
        help="Its people are logged out at once. For 30 days it can be restored."
        message="Its people are logged out at once and nothing more is sent to its learners. For 30 days it can be restored, then all of it is removed for good."
      />
    </Page>
  )
}

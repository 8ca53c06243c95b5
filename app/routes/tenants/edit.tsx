import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { deleteTenant, getTenant, listTimezones, updateTenant } from '#app/api/contract/tenancy/tenants.ts'
import { getConfig } from '#app/config.server.ts'
import { TenantForm } from '#app/domain/tenants/tenant.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { askInactive } from '#app/routes/organization/asking-inactive.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { readLogo } from '#app/routes/settings/read-logo.server.ts'
import { whyNotDone } from '#app/routes/why-not-done.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { DELETING_ELSEWHERE, DeleteSection, deleteTitle } from '#app/ui/delete-section.tsx'
import { backAddress, useBackAddress, useBesideAddress } from '#app/ui/list/list-place.ts'
import { Page } from '#app/ui/page.tsx'
import { TenantFields } from './tenant-form.tsx'
import { resendWelcome } from './welcome-again.server.ts'
import { WelcomeAgain } from './welcome-again.tsx'

export const meta: MetaFunction<typeof loader> = ({ data, location }) => [
  { title: deleteTitle(data?.tenant.name ?? 'Tenant', location) },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const [tenant, timezones] = await Promise.all([
    api(getTenant, { id: args.params.tenantId }),
    api(listTimezones),
  ])
  return { tenant, timezones, is_ours: !getConfig().WEB_TIER }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const ids = { id: args.params.tenantId }
  const list = backAddress('/tenants', new URL(args.request.url).searchParams)
  const formData = await args.request.formData()
  const intent = intentOf(formData, ['delete', 'resend'])
  if (intent === 'resend') return resendWelcome(api, formData, `/tenants/edit/${args.params.tenantId}`)
  if (intent === 'delete') {
    try {
      await api(deleteTenant, ids)
    } catch (error) {
      return redirectWithToast(list, await whyNotDone(error, 'deleted'))
    }
    return redirectWithToast(list, { title: 'Tenant deleted' })
  }
  const question = await askInactive(formData, readForm(formData, TenantForm), () => api(getTenant, ids))
  if (question) return question
  return saveForm(formData, TenantForm, async ({ logo, remove_logo, ...input }) => {
    const tenant = await api(updateTenant, ids, { ...input, ...(await readLogo({ logo, remove_logo })) })
    return redirectWithToast(list, { title: 'Tenant saved', message: tenant.name })
  })
}

export default function EditTenant() {
  const { tenant, timezones, is_ours } = useLoaderData<typeof loader>()
  const list = useBackAddress()('/tenants')
  const beside = useBesideAddress()
  return (
    <Page
      title={`Edit ${isolated(tenant.name)}`}
      lead="Name, plan and defaults of this customer."
      action={
        <>
          {tenant.has_sub_tenants ? (
            <ButtonLink to={`/tenants/${tenant.id}/subtenants`} variant="soft">
              Sub-tenants
            </ButtonLink>
          ) : null}
          {is_ours ? (
            <ButtonLink to={beside(`/tenants/${tenant.id}/sign-in`)} variant="soft">
              Sign-in
            </ButtonLink>
          ) : null}
        </>
      }
    >
      <TenantFields tenant={tenant} timezones={timezones}>
        <ButtonLink to={list} variant="soft" color="gray">
          Cancel
        </ButtonLink>
      </TenantFields>
      {is_ours ? null : <WelcomeAgain admins={tenant.admins} />}
      <DeleteSection
        what="tenant"
        name={tenant.name}
        here={beside(`/tenants/edit/${tenant.id}`)}
        {...(is_ours ? DELETING : DELETING_ELSEWHERE)}
      />
    </Page>
  )
}

const DELETING = {
  help: 'Its people are logged out at once. You can restore it for 30 days.',
  message:
    'Its people are logged out at once and nothing more is sent to its learners. You can restore it for 30 days; then all of it is removed for good.',
}

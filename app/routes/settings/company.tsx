import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getSubTenant } from '#app/api/contract/sub-tenants.ts'
import { getTenant, listTimezones } from '#app/api/contract/tenants.ts'
import { encodePath } from '#app/api/path.ts'
import { may } from '#app/domain/access/permissions.ts'
import { CompanyForm, SubTenantCompanyForm } from '#app/domain/tenants/company.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { CompanyFields } from './company-form.tsx'
import { readLogo } from './read-logo.server.ts'
import { SubTenantSettings } from './sub-tenant-form.tsx'

export const meta: MetaFunction = () => [{ title: 'Company settings · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireCompanyAdmin(args)
  const isWhole = actor.sub_tenant_id === null
  const [company, part, timezones] = await Promise.all([
    isWhole ? api(getTenant, { id: 'me' }) : null,
    isWhole ? null : api(getSubTenant, { id: 'me', subId: actor.sub_tenant_id ?? '' }),
    api(listTimezones),
  ])
  return { company, part, timezones }
}

export async function action(args: ActionFunctionArgs) {
  const { api, actor } = await requireCompanyAdmin(args)
  const { sub_tenant_id } = actor
  const formData = await args.request.formData()
  return saveForm(
    formData,
    sub_tenant_id ? SubTenantCompanyForm : CompanyForm,
    async ({ logo, remove_logo, timezone = null, ...settled }) => {
      // What is empty is taken away: a part of a company then follows the company's zone.
      const cap = sub_tenant_id ? {} : { daily_message_cap: null }
      const body = { ...cap, ...settled, timezone, ...(await readLogo({ logo, remove_logo })) }
      await api.put(companyOf(sub_tenant_id), body)
      return redirectWithToast('/settings/company', { title: 'Company settings saved' })
    },
  )
}

export default function EditCompany() {
  const { company, part, timezones } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Company settings"
      lead={part ? `Branding and defaults for ${part.name}.` : 'Branding and defaults for your company.'}
      action={
        <ButtonLink to="/settings/audit" variant="soft" color="gray">
          Audit log
        </ButtonLink>
      }
    >
      {company ? <CompanyFields company={company} timezones={timezones} /> : null}
      {part ? <SubTenantSettings subTenant={part} timezones={timezones} /> : null}
    </Page>
  )
}

async function requireCompanyAdmin(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  if (!may(visitor.actor, 'company:view'))
    throw data('Company settings are for administrators.', { status: 403 })
  return visitor
}

const companyOf = (subTenantId: string | null) =>
  subTenantId ? encodePath`/tenants/me/sub_tenants/${subTenantId}/company` : encodePath`/tenants/me/company`

import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { updateCompany, updateSubTenantCompany } from '#app/api/contract/tenancy/company.ts'
import { getSubTenant } from '#app/api/contract/tenancy/sub-tenants.ts'
import { getTenant, listTimezones } from '#app/api/contract/tenancy/tenants.ts'
import { getConfig } from '#app/config.server.ts'
import { may } from '#app/domain/access/permissions.ts'
import { CompanyForm, PlainCompanyForm, SubTenantCompanyForm } from '#app/domain/tenants/company.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { noPermission, requireDashboard } from '#app/routes/guards.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { OwnSubTenantFields } from '#app/routes/subtenants/sub-tenant-form.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { CompanyFields } from './company-form.tsx'
import { PlainCompanyFields } from './plain-company-form.tsx'
import { readLogo } from './read-logo.server.ts'

export const meta: MetaFunction = () => [{ title: 'Company settings · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireCompanyAdmin(args)
  const isTenantWide = actor.sub_tenant_id === null
  const [company, subTenant, timezones] = await Promise.all([
    isTenantWide ? api(getTenant, { id: 'me' }) : null,
    isTenantWide ? null : api(getSubTenant, { id: 'me', subId: actor.sub_tenant_id ?? '' }),
    api(listTimezones),
  ])
  return { company, subTenant, timezones, is_ours: !getConfig().WEB_TIER }
}

export async function action(args: ActionFunctionArgs) {
  const { api, actor } = await requireCompanyAdmin(args)
  const { sub_tenant_id } = actor
  const formData = await args.request.formData()
  if (getConfig().WEB_TIER)
    return saveForm(formData, PlainCompanyForm, async ({ logo, remove_logo, ...settled }) => {
      await save(api, sub_tenant_id, { ...settled, ...(await readLogo({ logo, remove_logo })) })
      return redirectWithToast('/settings/company', SAVED)
    })
  return saveForm(
    formData,
    sub_tenant_id ? SubTenantCompanyForm : CompanyForm,
    async ({ logo, remove_logo, timezone = null, ...settled }) => {
      // Empty values are removed: a sub-tenant then uses the tenant's zone.
      const cap = sub_tenant_id ? {} : { daily_message_cap: null }
      const body = { ...cap, ...settled, timezone, ...(await readLogo({ logo, remove_logo })) }
      await save(api, sub_tenant_id, body)
      return redirectWithToast('/settings/company', SAVED)
    },
  )
}

export default function EditCompany() {
  const { company, subTenant, timezones, is_ours } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Company settings"
      lead={
        subTenant ? `Branding and defaults for ${subTenant.name}.` : 'Branding and defaults for your company.'
      }
      action={
        is_ours ? (
          <>
            <ButtonLink to="/settings/messages" variant="soft" color="gray">
              Message previews
            </ButtonLink>
            <ButtonLink to="/settings/company/keys" variant="soft" color="gray">
              API keys
            </ButtonLink>
            <ButtonLink to="/settings/audit" variant="soft" color="gray">
              Audit log
            </ButtonLink>
          </>
        ) : null
      }
    >
      {is_ours ? null : <PlainCompanyFields known={plain(company, subTenant)} timezones={timezones} />}
      {company && is_ours ? <CompanyFields company={company} timezones={timezones} /> : null}
      {subTenant && is_ours ? <OwnSubTenantFields subTenant={subTenant} timezones={timezones} /> : null}
    </Page>
  )
}

async function requireCompanyAdmin(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  if (!may(visitor.actor, 'company:view')) throw noPermission('Company settings are for administrators.')
  return visitor
}

const SAVED = { title: 'Company settings saved' }

const save = (api: ApiClient, subId: string | null, body: object) =>
  subId ? api(updateSubTenantCompany, { id: 'me', subId }, body) : api(updateCompany, { id: 'me' }, body)

type Named = { name: string; logo: string | null }

function plain(
  company: (Named & { timezone: string; llj_categories: string[] }) | null,
  subTenant: (Named & { timezone: string | null; categories: string[] }) | null,
) {
  const { name, logo, timezone } = company ?? subTenant ?? { name: '', logo: null, timezone: null }
  return {
    name,
    logo,
    timezone,
    categories: company?.llj_categories ?? subTenant?.categories ?? [],
    isTenant: subTenant === null,
  }
}

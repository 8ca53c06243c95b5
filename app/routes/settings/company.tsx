import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { may } from '#app/domain/access/permissions.ts'
import { CompanyForm } from '#app/domain/tenants/company.ts'
import { SubTenant } from '#app/domain/tenants/sub-tenant.ts'
import { CompanySettings, Tenant } from '#app/domain/tenants/tenant.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { type Company, CompanyFields } from './company-form.tsx'
import { readLogo } from './read-logo.server.ts'

export const meta: MetaFunction = () => [{ title: 'Company settings · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireCompanyAdmin(args)
  const [company, timezones] = await Promise.all([
    readCompany(api, actor.sub_tenant_id),
    api.get('/tenants/timezones', z.array(z.string())),
  ])
  return { company, timezones }
}

export async function action(args: ActionFunctionArgs) {
  const { api, actor } = await requireCompanyAdmin(args)
  const submission = parseWithZod(await args.request.formData(), { schema: CompanyForm })
  if (submission.status !== 'success') return refuse(submission)

  const { logo, remove_logo, timezone, name, categories, lock_version, ...rules } = submission.value
  const { sub_tenant_id } = actor
  // A part of a company may follow the company's zone; its rules are settled for all of it.
  const own = sub_tenant_id ? { timezone: timezone ?? null } : { timezone, ...rules }
  try {
    const body = { name, categories, lock_version, ...own, ...(await readLogo({ logo, remove_logo })) }
    await api.put(`${addressOf(sub_tenant_id)}/company`, body)
  } catch (error) {
    return refuse(submission, error)
  }
  return redirectWithToast('/settings/company', { title: 'Company settings saved' })
}

export default function EditCompany() {
  const { company, timezones } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Company settings"
      lead="What everybody at the company sees and starts from."
      action={
        <ButtonLink to="/settings/audit" variant="soft" color="gray">
          Audit log
        </ButtonLink>
      }
    >
      <CompanyFields company={company} timezones={timezones} />
    </Page>
  )
}

async function requireCompanyAdmin(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  if (!may(visitor.actor, 'company:view'))
    throw data('Company settings are for administrators.', { status: 403 })
  return visitor
}

const addressOf = (subTenantId: string | null) =>
  subTenantId ? `/tenants/me/sub_tenants/${subTenantId}` : '/tenants/me'

async function readCompany(api: ApiClient, subTenantId: string | null): Promise<Company> {
  const address = addressOf(subTenantId)
  if (subTenantId === null) {
    const tenant = await api.get(address, Tenant)
    return { ...tenant, categories: tenant.llj_categories, rules: CompanySettings.parse(tenant) }
  }
  return { ...(await api.get(address, SubTenant)), rules: null }
}

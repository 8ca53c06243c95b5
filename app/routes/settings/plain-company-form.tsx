/** The settings that another server lets a tenant or sub-tenant change. */
import { PlainCompanyForm } from '#app/domain/tenants/company.ts'
import { OrganizationForm } from '#app/routes/organization/organization-form.tsx'
import { JourneysSection, NameSection } from '#app/routes/organization/sections.tsx'

type PlainCompanyProps = {
  known: {
    name: string
    logo: string | null
    timezone: string | null
    categories: string[]
    isTenant: boolean
  }
  timezones: readonly string[]
}

export function PlainCompanyFields({ known, timezones }: PlainCompanyProps) {
  const { name, logo, timezone, categories, isTenant } = known
  return (
    <OrganizationForm
      name="company"
      schema={PlainCompanyForm}
      toFields={() => ({ name, timezone: timezone ?? '', categories: categories.join('\n') })}
      save="Save settings"
    >
      {({ fields }) => (
        <>
          <NameSection
            title={isTenant ? 'Company' : 'Sub-tenant'}
            help="Shown on every page."
            fields={fields}
            logo={logo}
          />
          <JourneysSection
            categories={fields.categories}
            timezone={fields.timezone}
            timezones={timezones}
            isTenant={isTenant}
          />
        </>
      )}
    </OrganizationForm>
  )
}

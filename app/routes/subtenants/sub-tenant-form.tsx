/** The form of a sub-tenant, for its company, for super admins, and for itself. */
import { SubTenantCompanyForm } from '#app/domain/tenants/company.ts'
import { SubTenant, SubTenantForm } from '#app/domain/tenants/sub-tenant.ts'
import type { CommonRules } from '#app/domain/tenants/sub-tenant-rules.ts'
import { InactiveQuestion } from '#app/routes/organization/inactive-question.tsx'
import { OrganizationForm } from '#app/routes/organization/organization-form.tsx'
import { RuleFields, toRuleFields } from '#app/routes/organization/rule-fields.tsx'
import {
  AdminsSection,
  JourneysSection,
  NameSection,
  StatusInput,
} from '#app/routes/organization/sections.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { useBackAddress } from '#app/ui/list/list-place.ts'

type SubTenantFieldsProps = {
  /** Absent for a new one. */
  subTenant?: SubTenant
  /** Undefined if another server has no rules. */
  company: CommonRules | undefined
  timezones: readonly string[]
  listHref: string
}

export function SubTenantFields({ subTenant, company, timezones, listHref }: SubTenantFieldsProps) {
  const back = useBackAddress()
  const rules = company?.quiet_hours ? company : undefined
  return (
    <OrganizationForm
      name="sub-tenant"
      schema={SubTenantForm}
      answer={SubTenant}
      known={subTenant}
      toFields={(known) =>
        known
          ? { status: known.status, ...toFields(known) }
          : { status: 'active', admins: [{}], ...(rules ? toRuleFields(undefined, rules) : {}) }
      }
      save={subTenant ? 'Save sub-tenant' : 'Add sub-tenant'}
      beside={
        <ButtonLink to={back(listHref)} variant="soft" color="gray">
          Cancel
        </ButtonLink>
      }
    >
      {({ form, fields }) => (
        <>
          {subTenant ? (
            <InactiveQuestion name={subTenant.name}>
              Nobody can enter it, and its journeys send nothing, until you set it to active again. People
              whose only role is in this sub-tenant are logged out at once and cannot sign in.
            </InactiveQuestion>
          ) : null}
          <NameSection
            title="Sub-tenant"
            help="Its logo is shown in place of the company’s."
            fields={fields}
            logo={subTenant?.logo}
          >
            <StatusInput
              field={fields.status}
              help="Nobody can enter an inactive sub-tenant, and its journeys send nothing."
            />
          </NameSection>
          <JourneysSection
            categories={fields.categories}
            timezone={fields.timezone}
            timezones={timezones}
            isTenant={false}
          />
          {rules ? (
            <RuleFields fields={fields} company={rules} {...(subTenant && { known: subTenant })} />
          ) : null}
          <AdminsSection
            form={form}
            field={fields.admins}
            present={subTenant?.admins ?? []}
            help="They get an invitation by e-mail and manage this sub-tenant."
          />
        </>
      )}
    </OrganizationForm>
  )
}

type OwnSubTenantProps = { subTenant: SubTenant; timezones: readonly string[] }

export const OwnSubTenantFields = ({ subTenant, timezones }: OwnSubTenantProps) => (
  <OrganizationForm
    name="company"
    schema={SubTenantCompanyForm}
    answer={SubTenant}
    known={subTenant}
    toFields={(known = subTenant) => toFields(known)}
    save="Save settings"
  >
    {({ fields }) => (
      <>
        <NameSection title="Sub-tenant" help="Shown on every page." fields={fields} logo={subTenant.logo} />
        <JourneysSection
          categories={fields.categories}
          timezone={fields.timezone}
          timezones={timezones}
          isTenant={false}
        />
        <RuleFields fields={fields} company={subTenant.of_company} known={subTenant} />
      </>
    )}
  </OrganizationForm>
)

const toFields = ({ name, timezone, categories, of_company, ...rules }: SubTenant) => ({
  name,
  timezone: timezone ?? '',
  categories: categories.join('\n'),
  ...(of_company ? toRuleFields(rules, of_company) : {}),
})

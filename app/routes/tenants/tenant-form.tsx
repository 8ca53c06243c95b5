/** The form of a tenant, for super admins. */
import type { ReactNode } from 'react'
import { CUSTOMER_TYPES, Tenant, TenantForm } from '#app/domain/tenants/tenant.ts'
import { InactiveQuestion } from '#app/routes/organization/inactive-question.tsx'
import { OrganizationForm } from '#app/routes/organization/organization-form.tsx'
import {
  AdminsSection,
  JourneysSection,
  NameSection,
  StatusInput,
} from '#app/routes/organization/sections.tsx'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'

type TenantFieldsProps = {
  /** Absent for a new one. */
  tenant?: Tenant
  timezones: readonly string[]
  /** Placed beside the save button. */
  children?: ReactNode
}

export const TenantFields = ({ tenant, timezones, children }: TenantFieldsProps) => (
  <OrganizationForm
    name="tenant"
    schema={TenantForm}
    answer={Tenant}
    known={tenant}
    toFields={toFields}
    save={tenant ? 'Save tenant' : 'Add tenant'}
    beside={children}
  >
    {({ form, fields }) => (
      <>
        {tenant ? (
          <InactiveQuestion name={tenant.name}>
            Its people are logged out at once and cannot sign in, and nothing more is sent to its learners,
            until you set it to active again.
          </InactiveQuestion>
        ) : null}
        <NameSection
          title="Company"
          help="Its logo is shown to everyone who works or learns here."
          fields={fields}
          logo={tenant?.logo}
        >
          <TextInput field={fields.industry} label="Industry" />
          <SelectInput
            field={fields.customer_type}
            label="Customer type"
            help="Only a Multi Tenant can have sub-tenants."
            options={CUSTOMER_TYPES}
          />
          <StatusInput
            field={fields.status}
            help="The people of an inactive tenant are logged out, cannot sign in, and get no lifts."
          />
          <TextInput field={fields.plan} label="Plan" />
        </NameSection>
        <JourneysSection
          categories={fields.llj_categories}
          timezone={fields.timezone}
          timezones={timezones}
          isTenant
        />
        <AdminsSection
          form={form}
          field={fields.admins}
          present={tenant?.admins ?? []}
          help="They get an invitation by e-mail and manage everything else."
        />
      </>
    )}
  </OrganizationForm>
)

function toFields(tenant: Tenant | undefined) {
  if (!tenant) return { timezone: 'UTC', status: 'active', customer_type: 'Single Tenant', admins: [{}] }
  const { name, customer_type, status, timezone, llj_categories, industry, plan } = tenant
  return {
    ...{ name, customer_type, status, timezone, llj_categories: llj_categories.join('\n') },
    ...{ industry: industry ?? '', plan: plan ?? '' },
  }
}

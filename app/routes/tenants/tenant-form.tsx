/** The form of a tenant, new or known. */
import { getFormProps } from '@conform-to/react'
import type { ReactNode } from 'react'
import { CUSTOMER_TYPES, Tenant, TenantForm } from '#app/domain/tenants/tenant.ts'
import { LogoAndAdmins, STATUS_OPTIONS } from '#app/routes/subtenants/shared-fields.tsx'
import { DefaultButton } from '#app/ui/form/admins-input.tsx'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import {
  FormActions,
  FormErrors,
  FormSection,
  SubmitButton,
  TextArea,
  TextInput,
} from '#app/ui/form/form.tsx'
import { compare, SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'

type TenantFormProps = {
  /** Absent for a new one. */
  tenant?: Tenant
  timezones: readonly string[]
  /** Stands beside the button that saves. */
  children?: ReactNode
}

export function TenantFields({ tenant, timezones, children }: TenantFormProps) {
  const { form, fields, stored, typed } = useSchemaForm(TenantForm, {
    id: tenant ? `tenant-${tenant.lock_version}` : 'tenant',
    defaultValue: tenant
      ? toFields(tenant)
      : { timezone: 'UTC', status: 'active', customer_type: 'Single Tenant', admins: [{}] },
  })
  const current = Tenant.safeParse(stored).data
  return (
    <Form method="post" encType="multipart/form-data" {...getFormProps(form)}>
      <DefaultButton />
      <FormErrors form={form} />
      {current ? <SavedMeanwhile differences={compare(LABELS, toFields(current), typed)} /> : null}
      {tenant ? <input type="hidden" name="lock_version" value={(current ?? tenant).lock_version} /> : null}
      <FormSection title="Company" help="Name, plan and status.">
        <TextInput field={fields.name} label="Name" required />
        <TextInput field={fields.industry} label="Industry" />
        <SelectInput
          field={fields.customer_type}
          label="Customer type"
          help="Only a Multi Tenant can have sub-tenants."
          options={CUSTOMER_TYPES}
        />
        <SelectInput
          field={fields.status}
          label="Status"
          help="The people of an inactive tenant are logged out and cannot sign in."
          options={STATUS_OPTIONS}
        />
        <TextInput field={fields.plan} label="Plan" />
      </FormSection>
      <FormSection title="Journeys" help="Defaults for new journeys.">
        <SelectInput field={fields.timezone} label="Time zone" options={timezones} />
        <TextArea field={fields.llj_categories} label="Categories" help="One on each line." rows={5} />
      </FormSection>
      <LogoAndAdmins
        form={form}
        fields={fields}
        known={tenant}
        logoHelp="Shown to everyone who works or learns here."
        adminsHelp="They get an invitation by e-mail and manage everything else."
      />
      <FormActions>
        <SubmitButton>{tenant ? 'Save tenant' : 'Add tenant'}</SubmitButton>
        {children}
      </FormActions>
    </Form>
  )
}

function toFields(tenant: Tenant) {
  const { name, customer_type, status, timezone, llj_categories } = tenant
  return {
    name,
    customer_type,
    status,
    timezone,
    industry: tenant.industry ?? '',
    plan: tenant.plan ?? '',
    llj_categories: llj_categories.join('\n'),
  }
}

const LABELS = {
  name: 'Name',
  industry: 'Industry',
  customer_type: 'Customer type',
  status: 'Status',
  plan: 'Plan',
  timezone: 'Time zone',
  llj_categories: 'Categories',
}

/** The form of a tenant, new or known. */
import { getFormProps, useForm } from '@conform-to/react'
import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { LOGO_HELP } from '#app/domain/tenants/logo.ts'
import { CUSTOMER_TYPES, TENANT_STATUSES, Tenant, TenantForm } from '#app/domain/tenants/tenant.ts'
import { AdminsInput, DefaultButton } from '#app/ui/admins-input.tsx'
import { constraintOf } from '#app/ui/constraint.ts'
import {
  FormActions,
  FormErrors,
  FormSection,
  SelectInput,
  SubmitButton,
  TextArea,
  TextInput,
} from '#app/ui/form.tsx'
import { LogoInput } from '#app/ui/logo-input.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { useRefused } from '#app/ui/refused.ts'
import { SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'

type TenantFormProps = {
  /** Absent for a new one. */
  tenant?: Tenant
  timezones: readonly string[]
  /** Stands beside the button that saves. */
  children?: ReactNode
}

export function TenantFields({ tenant, timezones, children }: TenantFormProps) {
  const { lastResult, current: stored } = useRefused()
  const current = Tenant.safeParse(stored).data
  const [form, fields] = useForm<z.input<typeof TenantForm>, z.output<typeof TenantForm>>({
    id: tenant ? `tenant-${tenant.lock_version}` : 'tenant',
    defaultValue: tenant
      ? toFields(tenant)
      : { timezone: 'UTC', status: 'active', customer_type: 'Single Tenant', admins: [{}] },
    lastResult,
    constraint: constraintOf(TenantForm),
    defaultNoValidate: false,
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, TenantForm),
  })
  return (
    <Form method="post" encType="multipart/form-data" {...getFormProps(form)}>
      <DefaultButton />
      <FormErrors form={form} />
      {current ? <SavedMeanwhile differences={differences(current, lastResult?.initialValue ?? {})} /> : null}
      {tenant ? <input type="hidden" name="lock_version" value={(current ?? tenant).lock_version} /> : null}
      <FormSection title="Company" help="Who the customer is, and what they have bought.">
        <TextInput field={fields.name} label="Name" required />
        <TextInput field={fields.industry} label="Industry" />
        <SelectInput
          field={fields.customer_type}
          label="Customer type"
          help="Only a Multi Tenant has sub-tenants."
          options={CUSTOMER_TYPES}
        />
        <SelectInput
          field={fields.status}
          label="Status"
          help="The people of an inactive tenant are logged out and cannot sign in."
          options={TENANT_STATUSES.map(named)}
        />
        <TextInput field={fields.plan} label="Plan" />
      </FormSection>
      <FormSection title="Journeys" help="What schedules and categories start from.">
        <SelectInput field={fields.timezone} label="Time zone" options={timezones} />
        <TextArea field={fields.llj_categories} label="Categories" help="One on each line." rows={5} />
      </FormSection>
      <FormSection title="Logo" help="Shown to everybody who works or learns here.">
        <LogoInput
          field={fields.logo}
          removeField={fields.remove_logo}
          logo={tenant?.logo}
          help={LOGO_HELP}
        />
      </FormSection>
      <FormSection
        title="Administrators"
        help="They get an invitation by e-mail and look after everything else."
      >
        <AdminsInput form={form} field={fields.admins} present={tenant?.admins ?? []} />
      </FormSection>
      <FormActions>
        <SubmitButton>{tenant ? 'Save tenant' : 'Add tenant'}</SubmitButton>
        {children}
      </FormActions>
    </Form>
  )
}

const named = (value: string) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) })

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

function differences(saved: Tenant, typed: Record<string, unknown>) {
  const labels = {
    name: 'Name',
    industry: 'Industry',
    customer_type: 'Customer type',
    status: 'Status',
    plan: 'Plan',
    timezone: 'Time zone',
    llj_categories: 'Categories',
  }
  const fields = toFields(saved)
  return Object.entries(labels).map(([name, label]) => ({
    label,
    saved: fields[name as keyof typeof labels],
    typed: String(typed[name] ?? '').replaceAll('\r\n', '\n'),
  }))
}

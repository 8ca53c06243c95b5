/** The form of a sub-tenant, new or known. */
import { getFormProps, useForm } from '@conform-to/react'
import { Form } from '@remix-run/react'
import type { z } from 'zod'
import { LOGO_HELP } from '#app/domain/tenants/logo.ts'
import { SubTenant, SubTenantForm } from '#app/domain/tenants/sub-tenant.ts'
import { TENANT_STATUSES } from '#app/domain/tenants/tenant.ts'
import { AdminsInput, DefaultButton } from '#app/ui/admins-input.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
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

type SubTenantFieldsProps = {
  /** Absent for a new one. */
  subTenant?: SubTenant
  timezones: readonly string[]
  cancelHref: string
}

export function SubTenantFields({ subTenant, timezones, cancelHref }: SubTenantFieldsProps) {
  const { lastResult, current: stored } = useRefused()
  const current = SubTenant.safeParse(stored).data
  const [form, fields] = useForm<z.input<typeof SubTenantForm>, z.output<typeof SubTenantForm>>({
    id: subTenant ? `sub-tenant-${subTenant.lock_version}` : 'sub-tenant',
    defaultValue: subTenant ? toFields(subTenant) : { status: 'active', admins: [{}] },
    lastResult,
    constraint: constraintOf(SubTenantForm),
    defaultNoValidate: false,
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, SubTenantForm),
  })
  return (
    <Form method="post" encType="multipart/form-data" {...getFormProps(form)}>
      <DefaultButton />
      <FormErrors form={form} />
      {current ? <SavedMeanwhile differences={differences(current, lastResult?.initialValue ?? {})} /> : null}
      {subTenant ? (
        <input type="hidden" name="lock_version" value={(current ?? subTenant).lock_version} />
      ) : null}
      <FormSection title="Sub-tenant" help="A part of the company with people and journeys of its own.">
        <TextInput field={fields.name} label="Name" required />
        <SelectInput
          field={fields.status}
          label="Status"
          help="Nobody can enter an inactive sub-tenant."
          options={TENANT_STATUSES.map((value) => ({
            value,
            label: value === 'active' ? 'Active' : 'Inactive',
          }))}
        />
      </FormSection>
      <FormSection title="Journeys" help="What schedules and categories start from.">
        <SelectInput
          field={fields.timezone}
          label="Time zone"
          placeholder="As the company"
          options={timezones}
        />
        <TextArea field={fields.categories} label="Categories" help="One on each line." rows={5} />
      </FormSection>
      <FormSection title="Logo" help="Shown in place of the company’s.">
        <LogoInput
          field={fields.logo}
          removeField={fields.remove_logo}
          logo={subTenant?.logo}
          help={LOGO_HELP}
        />
      </FormSection>
      <FormSection
        title="Administrators"
        help="They get an invitation by e-mail and look after this sub-tenant."
      >
        <AdminsInput form={form} field={fields.admins} present={subTenant?.admins ?? []} />
      </FormSection>
      <FormActions>
        <SubmitButton>{subTenant ? 'Save sub-tenant' : 'Add sub-tenant'}</SubmitButton>
        <ButtonLink to={cancelHref} variant="soft" color="gray">
          Cancel
        </ButtonLink>
      </FormActions>
    </Form>
  )
}

const toFields = ({ name, status, timezone, categories }: SubTenant) => ({
  name,
  status,
  timezone: timezone ?? '',
  categories: categories.join('\n'),
})

function differences(saved: SubTenant, typed: Record<string, unknown>) {
  const labels = { name: 'Name', status: 'Status', timezone: 'Time zone', categories: 'Categories' }
  const fields = toFields(saved)
  return Object.entries(labels).map(([name, label]) => ({
    label,
    saved: fields[name as keyof typeof labels],
    typed: String(typed[name] ?? '').replaceAll('\r\n', '\n'),
  }))
}

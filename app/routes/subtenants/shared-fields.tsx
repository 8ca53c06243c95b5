/** What the forms of tenants and of their parts have in common. */
import type { FieldMetadata, FormMetadata } from '@conform-to/react'
import type { ComponentProps } from 'react'
import { LOGO_HELP } from '#app/domain/tenants/logo.ts'
import { TENANT_STATUSES } from '#app/domain/tenants/tenant.ts'
import { AdminsInput } from '#app/ui/form/admins-input.tsx'
import { FormSection } from '#app/ui/form/form.tsx'
import { LogoInput } from '#app/ui/form/logo-input.tsx'

export const STATUS_OPTIONS = TENANT_STATUSES.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}))

type Admins = ComponentProps<typeof AdminsInput>

type LogoAndAdminsProps<Schema extends Record<string, unknown>> = {
  form: FormMetadata<Schema>
  fields: {
    logo: FieldMetadata<File | undefined>
    remove_logo: FieldMetadata<boolean | undefined>
    admins: Admins['field']
  }
  /** The thing as it is; absent for a new one. */
  known: { logo: string | null; admins: Admins['present'] } | undefined
  logoHelp: string
  adminsHelp: string
}

export function LogoAndAdmins<Schema extends Record<string, unknown>>({
  form,
  fields,
  known,
  logoHelp,
  adminsHelp,
}: LogoAndAdminsProps<Schema>) {
  return (
    <>
      <FormSection title="Logo" help={logoHelp}>
        <LogoInput field={fields.logo} removeField={fields.remove_logo} logo={known?.logo} help={LOGO_HELP} />
      </FormSection>
      <FormSection title="Administrators" help={adminsHelp}>
        <AdminsInput form={form} field={fields.admins} present={known?.admins ?? []} />
      </FormSection>
    </>
  )
}

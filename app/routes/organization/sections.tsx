/** Form sections shared by tenants and sub-tenants. */
import type { FieldMetadata } from '@conform-to/react'
import type { ComponentProps, ReactNode } from 'react'
import { LOGO_HELP } from '#app/domain/tenants/logo.ts'
import { TENANT_STATUSES } from '#app/domain/tenants/tenant.ts'
import { AdminsInput } from '#app/ui/form/admins-input.tsx'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormSection } from '#app/ui/form/form.tsx'
import { LogoInput } from '#app/ui/form/logo-input.tsx'
import { TextArea, TextInput } from '#app/ui/form/text-input.tsx'

type NameSectionProps = {
  title: 'Company' | 'Sub-tenant'
  help: string
  fields: {
    name: FieldMetadata<string>
    logo: FieldMetadata<File | undefined>
    remove_logo: FieldMetadata<boolean | undefined>
  }
  logo: string | null | undefined
  /** Further fields. */
  children?: ReactNode
}

export function NameSection({ title, help, fields, logo, children }: NameSectionProps) {
  return (
    <FormSection title={title} help={help}>
      <TextInput field={fields.name} label="Name" required />
      {children}
      <LogoInput field={fields.logo} removeField={fields.remove_logo} logo={logo} help={LOGO_HELP} />
    </FormSection>
  )
}

const STATUSES = TENANT_STATUSES.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}))

type StatusInputProps = { field: FieldMetadata<(typeof TENANT_STATUSES)[number]>; help: string }

export const StatusInput = ({ field, help }: StatusInputProps) => (
  <SelectInput field={field} label="Status" help={help} options={STATUSES} />
)

type JourneysSectionProps = {
  categories: FieldMetadata<string | undefined>
  timezone: FieldMetadata<string> | FieldMetadata<string | undefined>
  timezones: readonly string[]
  /** A sub-tenant also has its company's zone and categories. */
  isTenant: boolean
}

export function JourneysSection({ categories, timezone, timezones, isTenant }: JourneysSectionProps) {
  const more = isTenant ? '' : ' The company’s categories can be chosen here, too.'
  const known = timezone.initialValue
  const isListed = known === undefined || known === '' || timezones.includes(known)
  return (
    <FormSection title="Journeys" help="Defaults for new journeys.">
      <SelectInput
        field={timezone as FieldMetadata<string | undefined>}
        label="Time zone"
        required={isTenant}
        placeholder={isTenant ? 'Choose…' : 'As the company'}
        help={timezones.length === 0 ? 'The list of time zones could not be loaded.' : undefined}
        options={isListed ? timezones : [known, ...timezones]}
      />
      <TextArea field={categories} label="Categories" help={`One on each line.${more}`} rows={5} />
    </FormSection>
  )
}

type AdminsSectionProps<Schema extends Record<string, unknown>> = ComponentProps<
  typeof AdminsInput<Schema>
> & { help: string }

export const AdminsSection = <Schema extends Record<string, unknown>>({
  help,
  ...admins
}: AdminsSectionProps<Schema>) => (
  <FormSection title="Administrators" help={help}>
    <AdminsInput {...admins} />
  </FormSection>
)

/** What the forms of a tenant and of a sub-tenant have in common. */
import type { FieldMetadata } from '@conform-to/react'
import { LOGO_HELP } from '#app/domain/tenants/logo.ts'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormSection, TextArea, TextInput } from '#app/ui/form/form.tsx'
import { LogoInput } from '#app/ui/form/logo-input.tsx'

type CompanySectionsProps = {
  fields: {
    name: FieldMetadata<string>
    logo: FieldMetadata<File | undefined>
    remove_logo: FieldMetadata<boolean | undefined>
    categories: FieldMetadata<string | undefined>
    timezone: FieldMetadata<string | undefined>
  }
  logo: string | null
  timezones: readonly string[]
  isTenant: boolean
}

export function CompanySections({ fields, logo, timezones, isTenant }: CompanySectionsProps) {
  return (
    <>
      <FormSection title={isTenant ? 'Company' : 'Sub-tenant'} help="Shown on every page.">
        <TextInput field={fields.name} label="Name" required />
        <LogoInput field={fields.logo} removeField={fields.remove_logo} logo={logo} help={LOGO_HELP} />
      </FormSection>
      <FormSection title="Journeys" help="Defaults for new journeys.">
        <TextArea
          field={fields.categories}
          label="Categories"
          help={
            isTenant
              ? 'One on each line.'
              : 'One on each line. The company’s categories can be chosen here, too.'
          }
          rows={6}
        />
        <SelectInput
          field={fields.timezone}
          label="Time zone"
          required={isTenant}
          placeholder={isTenant ? 'Choose…' : 'As the company'}
          options={timezones}
        />
      </FormSection>
    </>
  )
}

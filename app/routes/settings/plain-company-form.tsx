/** What another server lets a tenant, or a sub-tenant, settle about itself. */
import { getFormProps } from '@conform-to/react'
import { PlainCompanyForm } from '#app/domain/tenants/company.ts'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { CompanySections } from './company-sections.tsx'

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
  const { form, fields } = useSchemaForm(PlainCompanyForm, {
    id: 'company',
    defaultValue: { name, timezone: timezone ?? '', categories: categories.join('\n') },
  })
  return (
    <Form method="post" encType="multipart/form-data" {...getFormProps(form)}>
      <FormErrors form={form} />
      <CompanySections fields={fields} logo={logo} timezones={timezones} isTenant={isTenant} />
      <FormActions>
        <SubmitButton>Save settings</SubmitButton>
      </FormActions>
    </Form>
  )
}

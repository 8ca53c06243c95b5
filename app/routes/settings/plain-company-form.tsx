/** What another server lets a company, or a part of one, settle about itself. */
import { getFormProps } from '@conform-to/react'
import { PlainCompanyForm } from '#app/domain/tenants/company.ts'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form.tsx'
import { Form } from '#app/ui/place-form.tsx'
import { useSchemaForm } from '#app/ui/schema-form.ts'
import { CompanySections } from './company-sections.tsx'

type PlainCompanyProps = {
  known: {
    name: string
    logo: string | null
    timezone: string | null
    categories: string[]
    isWhole: boolean
  }
  timezones: readonly string[]
}

export function PlainCompanyFields({ known, timezones }: PlainCompanyProps) {
  const { name, logo, timezone, categories, isWhole } = known
  const { form, fields } = useSchemaForm(PlainCompanyForm, {
    id: 'company',
    defaultValue: { name, timezone: timezone ?? '', categories: categories.join('\n') },
  })
  return (
    <Form method="post" encType="multipart/form-data" {...getFormProps(form)}>
      <FormErrors form={form} />
      <CompanySections fields={fields} logo={logo} timezones={timezones} isWhole={isWhole} />
      <FormActions>
        <SubmitButton>Save settings</SubmitButton>
      </FormActions>
    </Form>
  )
}

/** What a sub-tenant settles about itself. */
import { getFormProps } from '@conform-to/react'
import { SubTenantCompanyForm } from '#app/domain/tenants/company.ts'
import { SubTenant } from '#app/domain/tenants/sub-tenant.ts'
import { RULE_LABELS, RuleFields, rulesInWords, toRuleFields } from '#app/routes/subtenants/rule-fields.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { compare, SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { CompanySections } from './company-sections.tsx'

type SubTenantSettingsProps = { subTenant: SubTenant; timezones: readonly string[] }

export function SubTenantSettings({ subTenant, timezones }: SubTenantSettingsProps) {
  const { form, fields, stored, typed } = useSchemaForm(SubTenantCompanyForm, {
    id: `company-${subTenant.lock_version}`,
    defaultValue: toFields(subTenant),
  })
  const current = SubTenant.safeParse(stored).data
  return (
    <Form method="post" encType="multipart/form-data" {...getFormProps(form)}>
      <FormErrors form={form} />
      {current ? (
        <SavedMeanwhile differences={compare(LABELS, inWords(toFields(current)), inWords(typed))} />
      ) : null}
      <input type="hidden" name="lock_version" value={(current ?? subTenant).lock_version} />
      <CompanySections fields={fields} logo={subTenant.logo} timezones={timezones} isTenant={false} />
      <RuleFields fields={fields} company={subTenant.of_company} known={subTenant} />
      <FormActions>
        <SubmitButton>Save settings</SubmitButton>
      </FormActions>
    </Form>
  )
}

const toFields = ({ name, timezone, categories, of_company, ...rules }: SubTenant) => ({
  name,
  timezone: timezone ?? '',
  categories: categories.join('\n'),
  ...toRuleFields(rules, of_company),
})

const inWords = (fields: Record<string, unknown>): Record<keyof typeof LABELS, unknown> => ({
  ...{ name: fields.name, timezone: fields.timezone, categories: fields.categories },
  ...rulesInWords(fields),
})

const LABELS = { name: 'Name', categories: 'Categories', timezone: 'Time zone', ...RULE_LABELS }

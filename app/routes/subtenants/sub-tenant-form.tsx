/** The form of a sub-tenant, new or known. */
import { getFormProps } from '@conform-to/react'
import { SubTenant, SubTenantForm } from '#app/domain/tenants/sub-tenant.ts'
import type { CommonRules } from '#app/domain/tenants/sub-tenant-rules.ts'
import { ButtonLink } from '#app/ui/button.tsx'
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
import { useBackAddress } from '#app/ui/list/list-place.ts'
import { RULE_LABELS, RuleFields, rulesInWords, toRuleFields } from './rule-fields.tsx'
import { LogoAndAdmins, STATUS_OPTIONS } from './shared-fields.tsx'

type SubTenantFieldsProps = {
  /** Absent for a new one. */
  subTenant?: SubTenant
  /** Another server may know no rules. */
  company: CommonRules | undefined
  timezones: readonly string[]
  listHref: string
}

export function SubTenantFields({ subTenant, company, timezones, listHref }: SubTenantFieldsProps) {
  const back = useBackAddress()
  const { form, fields, stored, typed } = useSchemaForm(SubTenantForm, {
    id: subTenant ? `sub-tenant-${subTenant.lock_version}` : 'sub-tenant',
    defaultValue: subTenant
      ? toFields(subTenant)
      : { status: 'active', admins: [{}], ...(company?.quiet_hours ? toRuleFields(undefined, company) : {}) },
  })
  const current = SubTenant.safeParse(stored).data
  return (
    <Form method="post" encType="multipart/form-data" {...getFormProps(form)}>
      <DefaultButton />
      <FormErrors form={form} />
      {current ? (
        <SavedMeanwhile differences={compare(LABELS, inWords(toFields(current)), inWords(typed))} />
      ) : null}
      {subTenant ? (
        <input type="hidden" name="lock_version" value={(current ?? subTenant).lock_version} />
      ) : null}
      <FormSection title="Sub-tenant" help="A part of the company with its own people and journeys.">
        <TextInput field={fields.name} label="Name" required />
        <SelectInput
          field={fields.status}
          label="Status"
          help="Nobody can enter an inactive sub-tenant."
          options={STATUS_OPTIONS}
        />
      </FormSection>
      <FormSection title="Journeys" help="Defaults for new journeys.">
        <SelectInput
          field={fields.timezone}
          label="Time zone"
          placeholder="As the company"
          options={timezones}
        />
        <TextArea field={fields.categories} label="Categories" help="One on each line." rows={5} />
      </FormSection>
      {company?.quiet_hours ? (
        <RuleFields fields={fields} company={company} {...(subTenant && { known: subTenant })} />
      ) : null}
      <LogoAndAdmins
        form={form}
        fields={fields}
        known={subTenant}
        logoHelp="Shown in place of the company’s."
        adminsHelp="They get an invitation by e-mail and manage this sub-tenant."
      />
      <FormActions>
        <SubmitButton>{subTenant ? 'Save sub-tenant' : 'Add sub-tenant'}</SubmitButton>
        <ButtonLink to={back(listHref)} variant="soft" color="gray">
          Cancel
        </ButtonLink>
      </FormActions>
    </Form>
  )
}

const toFields = ({ name, status, timezone, categories, of_company, ...rules }: SubTenant) => ({
  name,
  status,
  timezone: timezone ?? '',
  categories: categories.join('\n'),
  ...(of_company ? toRuleFields(rules, of_company) : {}),
})

const inWords = (fields: Record<string, unknown>): Record<keyof typeof LABELS, unknown> => ({
  ...{ name: fields.name, status: fields.status, timezone: fields.timezone, categories: fields.categories },
  ...rulesInWords(fields),
})

const LABELS = {
  ...{ name: 'Name', status: 'Status', timezone: 'Time zone', categories: 'Categories' },
  ...RULE_LABELS,
}

/** The rules that a sub-tenant can set differently from its company: each choice begins with the company's value. */
import type { FieldMetadata } from '@conform-to/react'
import type { z } from 'zod'
import type { CommonRules, SubTenantRules, SubTenantRulesForm } from '#app/domain/tenants/sub-tenant-rules.ts'
import { timeOfDay } from '#app/domain/text/date-format.ts'
import { ChoiceInput } from '#app/ui/form/choice-input.tsx'
import { FormSection } from '#app/ui/form/form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'

type Typed = z.input<typeof SubTenantRulesForm>
type RuleFieldsProps = {
  fields: {
    quiet_hours: FieldMetadata<Typed['quiet_hours']>
    admins_need_second_factor: FieldMetadata<Typed['admins_need_second_factor']>
    authors_may_create_drafts: FieldMetadata<Typed['authors_may_create_drafts']>
  }
  company: CommonRules
  /** The current rules; absent for a new one. */
  known?: SubTenantRules & { in_force: CommonRules }
}

export function RuleFields({ fields, company, known }: RuleFieldsProps) {
  return (
    <>
      <QuietHours field={fields.quiet_hours} company={company} known={known} />
      <FormSection
        title="Rules"
        help="The company’s daily limit and its switch to stop all messages apply here, too."
      >
        <ChoiceInput
          field={fields.authors_may_create_drafts}
          label="Authors can create drafts"
          help="They create their own journeys here."
          options={[
            { value: 'company', label: same(company.authors_may_create_drafts ? 'yes' : 'no') },
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ]}
        />
        <ChoiceInput
          field={fields.admins_need_second_factor}
          label="Administrators need a second factor"
          help="Administrators of this sub-tenant set one up at their next sign-in. What the company requires stays required here. Administrators of the whole company follow its rule."
          options={[
            {
              value: 'company',
              label: same(company.admins_need_second_factor ? 'required' : 'not required'),
            },
            { value: 'yes', label: 'Required here, whatever the company asks for' },
          ]}
        />
      </FormSection>
    </>
  )
}

type QuietHoursProps = {
  field: RuleFieldsProps['fields']['quiet_hours']
  company: CommonRules
  known: RuleFieldsProps['known'] | undefined
}

function QuietHours({ field, company, known }: QuietHoursProps) {
  const { of, from, to } = field.getFieldset()
  const isLonger = known?.quiet_hours && hours(known.quiet_hours) !== hours(known.in_force.quiet_hours)
  return (
    <FormSection
      title="Quiet hours"
      help="For the journeys of this sub-tenant, in each learner’s local time. No lift or reminder is texted in these hours, and none is e-mailed unless someone sends it manually or launches a journey with “Now”. A sub-tenant can have longer quiet hours than its company, not shorter ones."
    >
      <div className="own-hours">
        <ChoiceInput
          field={of}
          label="Quiet hours"
          required={false}
          options={[
            { value: 'company', label: same(hours(company.quiet_hours)) },
            { value: 'own', label: 'Own hours' },
          ]}
        />
        <div className="own-hours-times">
          <TextInput field={from} label="From" type="time" />
          <TextInput field={to} label="To" type="time" />
        </div>
        {isLonger ? (
          <p className="field-help">
            In force now: {hours(known.in_force.quiet_hours)}, because the company’s quiet hours are longer
            than those chosen here.
          </p>
        ) : null}
      </div>
    </FormSection>
  )
}

const same = (value: string) => `The same as the company (${value})`
const hours = ({ from, to }: CommonRules['quiet_hours']) => `${timeOfDay(from)} to ${timeOfDay(to)}`

/** As form values. Own quiet hours start from the company's. */
export function toRuleFields(rules: SubTenantRules | undefined, company: CommonRules) {
  const {
    quiet_hours = null,
    admins_need_second_factor = null,
    authors_may_create_drafts = null,
  } = rules ?? {}
  return {
    quiet_hours: { of: quiet_hours ? 'own' : 'company', ...(quiet_hours ?? company.quiet_hours) },
    admins_need_second_factor: admins_need_second_factor ? 'yes' : 'company',
    authors_may_create_drafts:
      authors_may_create_drafts === null ? 'company' : authors_may_create_drafts ? 'yes' : 'no',
  } as const
}

const WORDS = new Map<unknown, string>([
  ['company', 'The same as the company'],
  ['yes', 'Yes'],
  ['no', 'No'],
])

/** Rules in words for a table, from a submitted form or from stored values. */
export function rulesInWords({ quiet_hours, ...chosen }: Record<string, unknown>) {
  const { of, from = '', to = '' } = (quiet_hours ?? {}) as Record<string, string>
  const wordsOf = (choice: unknown) => WORDS.get(choice) ?? choice
  return {
    quiet_hours: from && of !== 'company' ? `${timeOfDay(from)} to ${timeOfDay(to)}` : wordsOf(of),
    authors_may_create_drafts: wordsOf(chosen.authors_may_create_drafts),
    admins_need_second_factor: wordsOf(chosen.admins_need_second_factor),
  }
}

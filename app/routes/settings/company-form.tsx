import { getFormProps, useForm } from '@conform-to/react'
import { z } from 'zod'
import { CompanyForm, SubTenantCompanyForm } from '#app/domain/tenants/company.ts'
import { LOGO_HELP } from '#app/domain/tenants/logo.ts'
import { CompanySettings } from '#app/domain/tenants/tenant.ts'
import { constraintOf } from '#app/ui/constraint.ts'
import {
  CheckboxInput,
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
import { Form } from '#app/ui/place-form.tsx'
import { useRefused } from '#app/ui/refused.ts'
import { SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'

/** `rules` are null for a part of a company, which does not settle them. */
export type Company = {
  name: string
  logo: string | null
  categories: string[]
  timezone: string | null
  rules: z.infer<typeof CompanySettings> | null
  lock_version: number
}

/** What the API shows of a stale edit: the whole company, or a part of it. */
const Current = z.object({
  name: z.string(),
  categories: z.array(z.string()).optional(),
  llj_categories: z.array(z.string()).optional(),
  timezone: z.string().nullable(),
  ...CompanySettings.partial().shape,
  lock_version: z.number(),
})

/** What a part of a company has of its own, and what it has not. */
const OF_PART =
  'Categories and the time zone are this sub-tenant’s own. Quiet hours, the daily cap, the second factor and whether authors may create drafts are the company’s: they are set there and hold here as well.'

type CompanyFieldsProps = { company: Company; timezones: readonly string[] }

export function CompanyFields({ company, timezones }: CompanyFieldsProps) {
  const { lastResult, current: stored } = useRefused()
  const current = Current.safeParse(stored).data
  const isWhole = company.rules !== null
  const schema = isWhole ? CompanyForm : SubTenantCompanyForm
  const [form, fields] = useForm<z.input<typeof CompanyForm>, z.output<typeof CompanyForm>>({
    id: `company-${company.lock_version}`,
    defaultValue: {
      name: company.name,
      categories: company.categories.join('\n'),
      timezone: company.timezone ?? '',
      ...company.rules,
      daily_message_cap: company.rules?.daily_message_cap ?? undefined,
    },
    lastResult,
    constraint: isWhole ? constraintOf(CompanyForm) : constraintOf(SubTenantCompanyForm),
    defaultNoValidate: false,
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, schema) as never,
  })
  return (
    <Form method="post" encType="multipart/form-data" {...getFormProps(form)}>
      <FormErrors form={form} />
      {current ? <SavedMeanwhile differences={differences(current, lastResult?.initialValue ?? {})} /> : null}
      <input type="hidden" name="lock_version" value={(current ?? company).lock_version} />
      <FormSection title="Company" help="The name and the logo stand on every page.">
        <TextInput field={fields.name} label="Name" required />
        <LogoInput
          field={fields.logo}
          removeField={fields.remove_logo}
          logo={company.logo}
          help={LOGO_HELP}
        />
      </FormSection>
      <FormSection title="Journeys" help={isWhole ? 'What schedules and categories start from.' : OF_PART}>
        <TextArea field={fields.categories} label="Categories" help="One on each line." rows={6} />
        <SelectInput
          field={fields.timezone}
          label="Time zone"
          required={isWhole}
          placeholder={isWhole ? 'Choose…' : 'As the company'}
          options={timezones}
        />
      </FormSection>
      {isWhole ? <Rules fields={fields} /> : null}
      <FormActions>
        <SubmitButton>Save settings</SubmitButton>
      </FormActions>
    </Form>
  )
}

type Fields = ReturnType<typeof useForm<z.input<typeof CompanyForm>, z.output<typeof CompanyForm>>>[1]

/** What holds for the whole company. */
function Rules({ fields }: { fields: Fields }) {
  const { from, to } = fields.quiet_hours.getFieldset()
  return (
    <>
      <FormSection
        title="Quiet hours"
        help="No message reaches anybody in this time, wherever they are. The night from 21:00 to 08:00 is always quiet."
      >
        <TextInput field={from} label="From" type="time" required />
        <TextInput field={to} label="To" type="time" required />
      </FormSection>
      <FormSection title="Sending" help="For the messages of all journeys.">
        <TextInput
          field={fields.daily_message_cap}
          label="Most messages in a day"
          type="number"
          inputMode="numeric"
          help="Those beyond wait for the next day. Leave it empty for no limit."
        />
        <CheckboxInput
          field={fields.sending_stopped}
          label="Stop all messages"
          help="Nothing leaves until you take this away again; what is due waits."
        />
      </FormSection>
      <FormSection title="Rules" help="They hold in every sub-tenant as well.">
        <CheckboxInput
          field={fields.authors_may_create_drafts}
          label="Authors may create drafts"
          help="They begin journeys of their own; administrators launch them."
        />
        <CheckboxInput
          field={fields.admins_need_second_factor}
          label="Administrators need a second factor"
          help="They set up an authenticator app when they sign in the next time."
        />
      </FormSection>
    </>
  )
}

const LABELS: Record<string, string> = {
  name: 'Name',
  categories: 'Categories',
  timezone: 'Time zone',
  quiet_hours: 'Quiet hours',
  daily_message_cap: 'Most messages in a day',
  sending_stopped: 'Stop all messages',
  authors_may_create_drafts: 'Authors may create drafts',
  admins_need_second_factor: 'Administrators need a second factor',
}

/** Boxes that are not ticked are not sent at all; a part of a company has none of the rules. */
function differences({ llj_categories, ...saved }: z.infer<typeof Current>, typed: Record<string, unknown>) {
  const { lock_version: _, ...rest } = { ...saved, categories: saved.categories ?? llj_categories ?? [] }
  return Object.entries(rest).map(([name, value]) => ({
    label: LABELS[name] ?? name,
    saved: inWords(value),
    typed: inWords(typeof value === 'boolean' ? typed[name] === 'on' : typed[name]),
  }))
}

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.join('\n')
  if (value && typeof value === 'object') return Object.values(value).join(' to ')
  return String(value ?? '').replaceAll('\r\n', '\n')
}

/** What a whole company settles: what its parts start from. */
import { getFormProps } from '@conform-to/react'
import { CompanyForm } from '#app/domain/tenants/company.ts'
import { Tenant } from '#app/domain/tenants/tenant.ts'
import { CheckboxInput } from '#app/ui/form/choice-input.tsx'
import { FormActions, FormErrors, FormSection, SubmitButton, TextInput } from '#app/ui/form/form.tsx'
import { SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { CompanySections } from './company-sections.tsx'

type CompanyFieldsProps = { company: Tenant; timezones: readonly string[] }

export function CompanyFields({ company, timezones }: CompanyFieldsProps) {
  const { form, fields, stored, typed } = useSchemaForm(CompanyForm, {
    id: `company-${company.lock_version}`,
    defaultValue: toFields(company),
  })
  const current = Tenant.safeParse(stored).data
  const { from, to } = fields.quiet_hours.getFieldset()
  return (
    <Form method="post" encType="multipart/form-data" {...getFormProps(form)}>
      <FormErrors form={form} />
      {current ? <SavedMeanwhile differences={differences(toFields(current), typed)} /> : null}
      <input type="hidden" name="lock_version" value={(current ?? company).lock_version} />
      <CompanySections fields={fields} logo={company.logo} timezones={timezones} isTenant />
      <FormSection
        title="Quiet hours"
        help="In each learner’s local time. No lift or reminder is texted in these hours, and none is e-mailed unless someone sends it manually or launches a journey with “Now”. The night from 9:00 PM to 8:00 AM is always quiet. Sub-tenants can have longer quiet hours, not shorter ones."
      >
        <TextInput field={from} label="From" type="time" required />
        <TextInput field={to} label="To" type="time" required />
      </FormSection>
      <FormSection
        title="Sending"
        help="For the messages of all journeys: lifts, reminders, commitments, what sponsors write, and e-mails on Mondays."
      >
        <TextInput
          field={fields.daily_message_cap}
          label="Daily message limit"
          type="number"
          inputMode="numeric"
          help="Extra messages wait until tomorrow. Leave blank for no limit."
        />
        <CheckboxInput
          field={fields.sending_stopped}
          label="Stop all messages"
          help="Nothing about a journey is sent until you turn this off. Invitations and codes for signing in still are."
        />
      </FormSection>
      <FormSection title="Rules" help={company.has_sub_tenants ? OF_PARTS : undefined}>
        <CheckboxInput
          field={fields.authors_may_create_drafts}
          label="Authors can create drafts"
          help="They create, launch, pause and end their own journeys. Administrators can do so with every journey."
        />
        <CheckboxInput
          field={fields.admins_need_second_factor}
          label="Administrators need a second factor"
          help="Administrators, including those of sub-tenants, must set up an authenticator app at their next sign-in."
        />
        <CheckboxInput
          field={fields.sign_in_links}
          label="Links in messages sign learners in"
          help="Once, within 24 hours of the message. Never for people who can do more than learn, who use a second factor, or who sign in with your own provider."
        />
      </FormSection>
      <FormActions>
        <SubmitButton>Save settings</SubmitButton>
      </FormActions>
    </Form>
  )
}

const OF_PARTS = 'Apply to all sub-tenants. Sub-tenants can override drafts and require a second factor.'

const toFields = (company: Tenant) => ({
  name: company.name,
  categories: company.llj_categories.join('\n'),
  timezone: company.timezone,
  quiet_hours: company.quiet_hours,
  daily_message_cap: company.daily_message_cap ?? undefined,
  sending_stopped: company.sending_stopped,
  authors_may_create_drafts: company.authors_may_create_drafts,
  admins_need_second_factor: company.admins_need_second_factor,
  sign_in_links: company.sign_in_links,
})

const LABELS: Record<keyof ReturnType<typeof toFields>, string> = {
  name: 'Name',
  categories: 'Categories',
  timezone: 'Time zone',
  quiet_hours: 'Quiet hours',
  daily_message_cap: 'Daily message limit',
  sending_stopped: 'Stop all messages',
  authors_may_create_drafts: 'Authors can create drafts',
  admins_need_second_factor: 'Administrators need a second factor',
  sign_in_links: 'Links in messages sign learners in',
}

/** Boxes that are not ticked are not sent at all. */
function differences(saved: ReturnType<typeof toFields>, typed: Record<string, unknown>) {
  return Object.entries(saved).map(([name, value]) => ({
    label: LABELS[name as keyof typeof LABELS],
    saved: inWords(value),
    typed: inWords(typeof value === 'boolean' ? typed[name] === 'on' : typed[name]),
  }))
}

function inWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (value && typeof value === 'object') return Object.values(value).join(' to ')
  return String(value ?? '').replaceAll('\r\n', '\n')
}

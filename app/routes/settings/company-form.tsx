/** The settings of a whole company, which are the defaults of its sub-tenants. */
import type { FieldMetadata } from '@conform-to/react'
import { CompanyForm } from '#app/domain/tenants/company.ts'
import { Tenant } from '#app/domain/tenants/tenant.ts'
import { OrganizationForm } from '#app/routes/organization/organization-form.tsx'
import { JourneysSection, NameSection } from '#app/routes/organization/sections.tsx'
import { CheckboxInput } from '#app/ui/form/choice-input.tsx'
import { FormSection } from '#app/ui/form/form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'

type CompanyFieldsProps = { company: Tenant; timezones: readonly string[] }

export const CompanyFields = ({ company, timezones }: CompanyFieldsProps) => (
  <OrganizationForm
    name="company"
    schema={CompanyForm}
    answer={Tenant}
    known={company}
    toFields={(known = company) => toFields(known)}
    save="Save settings"
  >
    {({ fields }) => (
      <>
        <NameSection title="Company" help="Shown on every page." fields={fields} logo={company.logo} />
        <JourneysSection
          categories={fields.categories}
          timezone={fields.timezone}
          timezones={timezones}
          isTenant
        />
        <FormSection
          title="Quiet hours"
          help={company.has_sub_tenants ? `${QUIET_HOURS} ${QUIET_HOURS_OF_PARTS}` : QUIET_HOURS}
        >
          <TextInput field={fields.quiet_hours.getFieldset().from} label="From" type="time" required />
          <TextInput field={fields.quiet_hours.getFieldset().to} label="To" type="time" required />
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
            help="Until you turn this off, nothing about a journey is sent, except test messages and replies to learners’ texts; invitations and codes for signing in are still sent."
          />
        </FormSection>
        <RulesSection fields={fields} reachesSubTenants={company.has_sub_tenants} />
      </>
    )}
  </OrganizationForm>
)

type RulesSectionProps = {
  fields: Record<
    'authors_may_create_drafts' | 'admins_need_second_factor' | 'sign_in_links',
    FieldMetadata<boolean | undefined>
  >
  reachesSubTenants: boolean
}

const RulesSection = ({ fields, reachesSubTenants }: RulesSectionProps) => (
  <FormSection title="Rules" help={reachesSubTenants ? OF_PARTS : undefined}>
    <CheckboxInput
      field={fields.authors_may_create_drafts}
      label="Authors can create drafts"
      help="They create, launch, pause and end their own journeys. Administrators can do so with every journey."
    />
    <CheckboxInput
      field={fields.admins_need_second_factor}
      label="Administrators need a second factor"
      help={`Administrators${reachesSubTenants ? ', including those of sub-tenants,' : ''} must set up an authenticator app at their next sign-in.`}
    />
    <CheckboxInput
      field={fields.sign_in_links}
      label="Links in messages sign learners in"
      help="Once, within 24 hours of the message. Never for people who can do more than learn, who use a second factor, or who sign in with your own provider."
    />
  </FormSection>
)

const QUIET_HOURS =
  'In each learner’s local time. No lift or reminder is texted in these hours, and none is e-mailed unless someone sends it manually or launches a journey with “Now”. The night from 9:00 PM to 8:00 AM is always quiet.'
const QUIET_HOURS_OF_PARTS = 'Sub-tenants can have longer quiet hours, not shorter ones.'
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

import { getFormProps, getInputProps } from '@conform-to/react'
import { OWN_FIELDS, ProfileForm } from '#app/domain/account/profile-form.ts'
import { SMS_WORDING } from '#app/domain/consent/wording.ts'
import { labelsOf, pick } from '#app/domain/fields.ts'
import { clockAtHome } from '#app/domain/users/clock.ts'
import { CurrentUser } from '#app/domain/users/current-user.ts'
import { PERSON } from '#app/domain/users/person.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Facts } from '#app/ui/facts.tsx'
import { CheckboxInput } from '#app/ui/form/choice-input.tsx'
import { FormActions, FormErrors, FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { compare, SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion, useOpenedAt } from '#app/ui/form/seen-version.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { Terms } from './terms.tsx'
import { ZoneField } from './zone-field.tsx'

type ProfileFieldsProps = {
  user: CurrentUser
  timezones: readonly string[]
}

export function ProfileFields({ user, timezones }: ProfileFieldsProps) {
  const { form, fields, stored, typed } = useSchemaForm(ProfileForm, {
    id: `profile-${useOpenedAt(user.lock_version)}`,
    defaultValue: {
      ...pick(user, [...OWN_FIELDS, 'lock_version']),
      sms_opt_in: user.sms_opt_in,
      sms_opt_in_before: user.sms_opt_in ? 'yes' : 'no',
    },
  })
  const current = CurrentUser.safeParse(stored).data
  const accepted = user.accept_terms_and_conditions
  return (
    <Form method="post" {...getFormProps(form)}>
      <FormErrors form={form} />
      {current ? <SavedMeanwhile differences={compare(LABELS, current, typed)} /> : null}
      <SeenVersion field={fields.lock_version} saved={current?.lock_version} />
      <FormSection title="You" help="How colleagues see you.">
        <TextInput field={fields.first_name} label={LABELS.first_name} autoComplete="given-name" required />
        <TextInput field={fields.last_name} label={LABELS.last_name} autoComplete="family-name" />
        <TextInput
          field={fields.job_title}
          label={LABELS.job_title}
          maxLength={120}
          autoComplete="organization-title"
        />
        <TextInput field={fields.department} label={LABELS.department} maxLength={120} autoComplete="off" />
      </FormSection>
      <FormSection title="Contact" help="Used to sign in and receive lifts.">
        <Facts facts={{ 'E-mail': user.email, 'Mobile phone': user.mobile_phone }} />
        {user.mobile_phone ? (
          <>
            <input {...getInputProps(fields.sms_opt_in_before, { type: 'hidden' })} />
            <CheckboxInput field={fields.sms_opt_in} label={SMS_WORDING.text} />
          </>
        ) : null}
        <ContactChange user={user} />
      </FormSection>
      <Place user={user} />
      <FormSection title="Time" help="When lifts are sent, and how times are shown to you.">
        <ZoneField
          field={fields.timezone}
          label={LABELS.timezone}
          timezones={timezones}
          otherwise={clockAtHome(user)}
          own={user.timezone}
          isFirstVisit={!accepted}
        />
      </FormSection>
      <FormSection title="Terms and conditions" help={accepted ? 'You have accepted them.' : undefined}>
        <Terms />
        {accepted ? null : (
          <CheckboxInput
            field={fields.accept_terms_and_conditions}
            label="I have read and accept the terms and conditions"
          />
        )}
      </FormSection>
      <FormActions>
        <SubmitButton>{accepted ? 'Save profile' : 'Save and continue'}</SubmitButton>
      </FormActions>
    </Form>
  )
}

function ContactChange({ user }: { user: CurrentUser }) {
  if (!user.accept_terms_and_conditions)
    return <p className="quiet">You can change them once you have accepted the terms.</p>
  return (
    <div>
      <ButtonLink to="/settings/contact" variant="soft">
        {user.mobile_phone ? 'Change e-mail or phone' : 'Change e-mail or add a phone'}
      </ButtonLink>
    </div>
  )
}

/** Without the sub-tenant of another company that a super admin is in. */
function Place({ user }: { user: CurrentUser }) {
  const { tenant, current_sub_tenant, is_impersonating } = user
  const own = is_impersonating ? null : current_sub_tenant
  return (
    <FormSection title="Company and roles" help="Set by your administrators.">
      <Facts
        facts={{
          Company: [tenant.name, own?.name].filter(Boolean).join(', '),
          Roles: user.roles.map((role) => ROLE_NAMES[role]).join(', '),
        }}
      />
    </FormSection>
  )
}

const ROLE_NAMES: Record<CurrentUser['roles'][number], string> = {
  super_admin: 'Super admin',
  admin: 'Admin',
  author: 'Author',
  user: 'User',
}

const LABELS = labelsOf(pick(PERSON, OWN_FIELDS))

import { getFormProps, useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { Form } from '@remix-run/react'
import type { z } from 'zod'
import { SMS_WORDING } from '#app/domain/consent/wording.ts'
import { CurrentUser } from '#app/domain/users/current-user.ts'
import { ProfileForm } from '#app/domain/users/profile-form.ts'
import { constraintOf } from '#app/ui/constraint.ts'
import {
  CheckboxInput,
  FormActions,
  FormErrors,
  FormSection,
  SelectInput,
  SubmitButton,
  TextInput,
} from '#app/ui/form.tsx'
import { useRefused } from '#app/ui/refused.ts'
import { SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'
import { Terms } from './terms.tsx'

type ProfileFieldsProps = {
  user: CurrentUser
  phone: { dial_code: string; phone_number: string }
  timezones: readonly string[]
  dialCodes: readonly { value: string; label: string }[]
}

export function ProfileFields({ user, phone, timezones, dialCodes }: ProfileFieldsProps) {
  const { lastResult, current: stored } = useRefused()
  const current = CurrentUser.safeParse(stored).data
  const [form, fields] = useForm<z.input<typeof ProfileForm>, z.output<typeof ProfileForm>>({
    id: `profile-${user.lock_version}`,
    defaultValue: { ...toFields(user), ...phone, sms_opt_in: user.sms_opt_in },
    lastResult,
    constraint: constraintOf(ProfileForm),
    defaultNoValidate: false,
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseWithZod(formData, { schema: ProfileForm }),
  })
  const accepted = user.accept_terms_and_conditions
  return (
    <Form method="post" {...getFormProps(form)}>
      <FormErrors form={form} />
      {current ? <SavedMeanwhile differences={differences(current, lastResult?.initialValue ?? {})} /> : null}
      <input type="hidden" name="lock_version" value={(current ?? user).lock_version} />
      <FormSection title="You" help={`You sign in as ${user.email}.`}>
        <TextInput field={fields.first_name} label="First name" autoComplete="given-name" required />
        <TextInput field={fields.last_name} label="Last name" autoComplete="family-name" required />
        <TextInput field={fields.job_title} label="Job title" autoComplete="organization-title" />
      </FormSection>
      <FormSection title="Mobile phone" help="Where lifts can reach you by text message.">
        <SelectInput
          field={fields.dial_code}
          label="Dial code"
          placeholder="No dial code"
          options={dialCodes}
        />
        <TextInput
          field={fields.phone_number}
          label="Phone number"
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          help="Leave it empty to have no number on file."
        />
        <CheckboxInput field={fields.sms_opt_in} label={SMS_WORDING.text} />
      </FormSection>
      <FormSection title="Time" help="When lifts are sent, and how times are shown to you.">
        <SelectInput
          field={fields.timezone}
          label="Time zone"
          placeholder={`As the company (${user.tenant.timezone})`}
          options={timezones}
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

const toFields = ({ first_name, last_name, job_title, timezone }: CurrentUser) => ({
  first_name,
  last_name,
  job_title: job_title ?? '',
  timezone: timezone ?? '',
})

function differences(saved: CurrentUser, typed: Record<string, unknown>) {
  const labels = {
    first_name: 'First name',
    last_name: 'Last name',
    job_title: 'Job title',
    timezone: 'Time zone',
  }
  const fields = toFields(saved)
  return Object.entries(labels).map(([name, label]) => ({
    label,
    saved: fields[name as keyof typeof labels],
    typed: String(typed[name] ?? ''),
  }))
}

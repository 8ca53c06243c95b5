/** Everything required of a new person before their destination: the terms, and how to reach them. */

import { getFormProps, getInputProps } from '@conform-to/react'
import { WelcomeForm } from '#app/domain/account/profile-form.ts'
import { SMS_WORDING } from '#app/domain/consent/wording.ts'
import { clockAtHome } from '#app/domain/users/clock.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { CheckboxInput } from '#app/ui/form/choice-input.tsx'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Terms } from './terms.tsx'
import { ZoneField } from './zone-field.tsx'

type WelcomeFieldsProps = { user: CurrentUser; timezones: readonly string[] }

export function WelcomeFields({ user, timezones }: WelcomeFieldsProps) {
  const { form, fields } = useSchemaForm(WelcomeForm, {
    id: 'welcome',
    defaultValue: { sms_opt_in: user.sms_opt_in, sms_opt_in_before: user.sms_opt_in ? 'yes' : 'no' },
  })
  return (
    <Form method="post" {...getFormProps(form)}>
      <FormErrors form={form} />
      <div className="form-section-fields">
        {user.timezone === null ? (
          <ZoneField
            field={fields.timezone}
            label="Time zone"
            timezones={timezones}
            otherwise={clockAtHome(user)}
            own={null}
            isFirstVisit
          />
        ) : null}
        {user.mobile_phone ? (
          <>
            <input {...getInputProps(fields.sms_opt_in_before, { type: 'hidden' })} />
            <CheckboxInput field={fields.sms_opt_in} label={SMS_WORDING.text} help={user.mobile_phone} />
          </>
        ) : null}
        <Terms />
        <CheckboxInput
          field={fields.accept_terms_and_conditions}
          label="I have read and accept the terms and conditions"
        />
        <div>
          <SubmitButton>Save and continue</SubmitButton>
        </div>
      </div>
    </Form>
  )
}

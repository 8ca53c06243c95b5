import { getFormProps, useForm } from '@conform-to/react'
import type { z } from 'zod'
import { AppCode, FactorForm, PasswordForm, type Security } from '#app/domain/account/security.ts'
import { TotpSecret } from '#app/routes/auth/totp-secret.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { ChoiceInput } from '#app/ui/form/choice-input.tsx'
import { FormErrors, FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { parseForm } from '#app/ui/form/parse-form.ts'
import { useRefused } from '#app/ui/form/refused.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { Link } from '#app/ui/link.tsx'

export function OneStepFirst() {
  return (
    <div className="banner" data-accent-color="amber" role="status">
      <p>
        <strong>One step first:</strong> you need a second factor here. Once it’s set up, you’ll continue
        where you left off.
      </p>
    </div>
  )
}

const WAYS = { defaultNoValidate: false, shouldValidate: 'onSubmit', shouldRevalidate: 'onInput' } as const

export function ChooseFactor({ security }: { security: Security }) {
  const { lastResult } = useRefused()
  const [form, { preferred, password }] = useForm<z.input<typeof FactorForm>>({
    ...WAYS,
    id: 'factor',
    lastResult,
    defaultValue: { preferred: currentOf(security) },
    onValidate: ({ formData }) => parseForm(formData, FactorForm),
  })
  return (
    <FormSection title="Second factor" help={helpOf(security)}>
      <p>
        <StateBadge security={security} />
      </p>
      <Form method="post" className="form-section-fields" {...getFormProps(form)}>
        <FormErrors
          form={form}
          labels={{ preferred: 'After the password, ask for', password: 'Your password' }}
        />
        <ChoiceInput
          field={preferred}
          label="After the password, ask for"
          required
          options={optionsOf(security)}
        />
        {security.available_phone || security.phone ? null : (
          <p className="field-help">
            For codes by text message, <Link to="/settings/contact">confirm your phone number</Link> first.
          </p>
        )}
        <TextInput
          field={password}
          label="Your password"
          type="password"
          autoComplete="current-password"
          help="Confirm that it’s you."
          required
        />
        <div>
          <SubmitButton>Save second factor</SubmitButton>
        </div>
      </Form>
    </FormSection>
  )
}

const helpOf = ({ is_required }: Security) =>
  is_required ? 'Your role requires one.' : 'Protects your account even if someone learns your password.'

function currentOf({ preferred, phone }: Security): FactorForm['preferred'] {
  if (preferred === 'SOFTWARE_TOKEN_MFA') return 'app'
  return preferred === 'SMS_MFA' && phone ? 'sms' : 'new_app'
}

function StateBadge({ security: { preferred, phone } }: { security: Security }) {
  if (preferred === 'SOFTWARE_TOKEN_MFA') return <Badge tone="success">On: authenticator app</Badge>
  if (preferred === 'SMS_MFA') return <Badge tone="success">{`On: text message to ${phone}`}</Badge>
  return <Badge>Off</Badge>
}

function optionsOf({ has_app, available_phone, is_required }: Security) {
  return [
    ...(has_app ? [{ value: 'app', label: 'A code from your authenticator app' }] : []),
    {
      value: 'new_app',
      label: has_app ? 'A code from another authenticator app' : 'A code from an authenticator app',
    },
    ...(available_phone ? [{ value: 'sms', label: `A code by text message to ${available_phone}` }] : []),
    ...(is_required ? [] : [{ value: 'none', label: 'Nothing else' }]),
  ]
}

type ConfirmAppProps = { app: { secret: string; qr: { size: number; path: string } } }

export function ConfirmApp({ app }: ConfirmAppProps) {
  const { lastResult } = useRefused()
  const [form, { code }] = useForm<z.input<typeof AppCode>>({
    ...WAYS,
    id: 'app',
    lastResult,
    onValidate: ({ formData }) => parseForm(formData, AppCode),
  })
  return (
    <FormSection
      title="Set up an authenticator app"
      help="Nothing changes until you enter a code from the new app."
    >
      <p>
        Scan the QR code with an authenticator app, or type the secret key below into it. Then enter the code
        that it shows.
      </p>
      <TotpSecret {...app} />
      <Form method="post" className="form-section-fields" {...getFormProps(form)}>
        <FormErrors form={form} />
        <TextInput field={code} label="Code" inputMode="numeric" autoComplete="one-time-code" required />
        <div className="row-actions row-actions-start">
          <ButtonLink to="/settings/security" variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton>Confirm</SubmitButton>
        </div>
      </Form>
    </FormSection>
  )
}

export function ChangePassword() {
  const { lastResult } = useRefused()
  const [form, { password, new_password, confirm_password }] = useForm<z.input<typeof PasswordForm>>({
    ...WAYS,
    id: 'password',
    lastResult,
    onValidate: ({ formData }) => parseForm(formData, PasswordForm),
  })
  return (
    <FormSection title="Password">
      <Form method="post" className="form-section-fields" {...getFormProps(form)}>
        <FormErrors form={form} labels={{ password: 'Current password' }} />
        <TextInput
          field={password}
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
        />
        <TextInput
          field={new_password}
          label="New password"
          type="password"
          autoComplete="new-password"
          required
        />
        <TextInput
          field={confirm_password}
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          required
        />
        <div className="row-actions row-actions-start">
          <ButtonLink to="/settings/security" variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton>Change password</SubmitButton>
        </div>
      </Form>
    </FormSection>
  )
}

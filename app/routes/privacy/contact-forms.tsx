/** Forms for a new address or number, and for the code sent there. */
import type { ContactChange, ContactKind, Contacts } from '#app/domain/account/contact-change.ts'
import { Badge } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/form/error-summary.tsx'
import { FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { type DialCodes, PhoneInput } from '#app/ui/form/phone-input.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { CodesGoTo } from './codes-go-to.tsx'
import { Password, type Refused } from './password.tsx'
import { PlainField } from './plain-field.tsx'

type RequestFormProps = { contacts: Contacts; refused: Refused }

export function EmailForm({ contacts, refused }: RequestFormProps) {
  return (
    <FormSection title="E-mail address" help="You sign in with it.">
      <p>{contacts.email}</p>
      {contacts.may_change_email ? (
        <Form method="post" className="plain-form">
          <Summary refused={refused} kind="email" label="New e-mail address" />
          <input type="hidden" name="kind" value="email" />
          <PlainField
            id="new-email"
            name="value"
            type="email"
            autoComplete="email"
            maxLength={254}
            label="New e-mail address"
            value={refused?.typed.value ?? ''}
            error={refused?.at === 'value' ? refused.problem : undefined}
          />
          <Password kind="email" contacts={contacts} refused={refused} />
          <SubmitButton variant="soft" intent="request">
            Send code<span className="hidden-words"> to the new address</span>
          </SubmitButton>
        </Form>
      ) : (
        <p>Your company manages your address in its own sign-in.</p>
      )}
    </FormSection>
  )
}

type PhoneFormProps = RequestFormProps & {
  codesElsewhere: string | null
  known: { dial_code: string; phone_number: string }
  dialCodes: DialCodes
}

export function PhoneForm({ contacts, codesElsewhere, refused, known, dialCodes }: PhoneFormProps) {
  const { dial_code = known.dial_code, phone_number = known.phone_number } = refused?.typed ?? {}
  return (
    <FormSection title="Mobile phone" help="Lifts reach you there, if you agree to text messages.">
      <Phone contacts={contacts} />
      {codesElsewhere ? <CodesGoTo number={codesElsewhere} /> : null}
      <Form method="post" className="plain-form">
        <Summary refused={refused} kind="phone" label="Phone number" />
        <input type="hidden" name="kind" value="phone" />
        <PhoneInput
          own
          required
          label="Phone number"
          dial={{ id: 'dial-code', name: 'dial_code', value: dial_code }}
          number={{ id: 'new-phone', name: 'phone_number', value: phone_number }}
          dialCodes={dialCodes}
          errors={refused?.at === 'value' ? [refused.problem] : undefined}
        />
        <Password kind="phone" contacts={contacts} refused={refused} />
        <SubmitButton variant="soft" intent="request">
          Send code<span className="hidden-words"> to the new number</span>
        </SubmitButton>
      </Form>
    </FormSection>
  )
}

type SummaryProps = { refused: Refused; kind: ContactKind; label: string }

function Summary({ refused, kind, label }: SummaryProps) {
  if (!refused) return null
  const { problem, at } = refused
  const field =
    at === 'password'
      ? { fieldId: `password-${kind}`, label: 'Your password' }
      : { fieldId: `new-${kind}`, label }
  return <ErrorSummary id={`${kind}-summary`} problems={[{ ...field, errors: [problem] }]} />
}

function Phone({ contacts: { mobile_phone, phone_verified_on } }: { contacts: Contacts }) {
  if (!mobile_phone) return <p>No number on file.</p>
  return (
    <p className="row-actions row-actions-start">
      <span>{mobile_phone}</span>
      {phone_verified_on ? <Badge tone="success">Verified</Badge> : <Badge>Not verified</Badge>}
      <ButtonLink to="/settings/contact/remove" variant="ghost" color="red" preventScrollReset>
        Remove number
      </ButtonLink>
    </p>
  )
}

export function CodeForm({ pending, refused }: { pending: ContactChange; refused: Refused }) {
  const { kind, destination } = pending
  return (
    <FormSection title="Enter the code" help="It is valid for 15 minutes.">
      <Form method="post" className="plain-form">
        {refused ? (
          <ErrorSummary
            id={`${kind}-code-summary`}
            problems={[{ fieldId: `code-${kind}`, label: 'Code', errors: [refused.problem] }]}
          />
        ) : null}
        <input type="hidden" name="kind" value={kind} />
        <PlainField
          id={`code-${kind}`}
          name="code"
          label={`Code sent to ${destination}`}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={refused?.typed.code ?? ''}
          error={refused?.problem}
        />
        <SubmitButton intent="confirm">Confirm</SubmitButton>
      </Form>
    </FormSection>
  )
}

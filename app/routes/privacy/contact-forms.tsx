/** A new address or number, and the code that came there. */
import { Form } from '@remix-run/react'
import type { ContactChange, ContactKind, Contacts } from '#app/domain/contact/contact-change.ts'
import { Badge } from '#app/ui/badge.tsx'
import { FormSection, SubmitButton } from '#app/ui/form.tsx'
import { PlainField } from './plain-field.tsx'

type Refused = { why: string; typed: string } | null
type RequestFormProps = { kind: ContactKind; contacts: Contacts; refused: Refused }

/** How each of the two is asked for. */
const WORDS = {
  email: {
    title: 'E-mail address',
    help: 'You sign in with it.',
    label: 'New e-mail address',
    input: { type: 'email', autoComplete: 'email', maxLength: 254 },
  },
  phone: {
    title: 'Mobile phone',
    help: 'Lifts reach you there, if you agree to text messages.',
    label: 'Number to verify, with its country code',
    input: { type: 'tel', autoComplete: 'tel', maxLength: 40 },
  },
} as const

export function RequestForm({ kind, contacts, refused }: RequestFormProps) {
  const { title, help, label, input } = WORDS[kind]
  const known = kind === 'phone' ? (contacts.mobile_phone ?? '') : ''
  return (
    <FormSection title={title} help={help}>
      <p>{kind === 'email' ? contacts.email : <Phone contacts={contacts} />}</p>
      {kind === 'email' && !contacts.may_change_email ? (
        <p>Your company’s own sign-in keeps your address; it is changed there.</p>
      ) : (
        <Form method="post" className="plain-form">
          <input type="hidden" name="kind" value={kind} />
          <PlainField
            {...input}
            id={`new-${kind}`}
            name="value"
            label={label}
            value={refused?.typed ?? known}
            error={refused?.why}
          />
          <SubmitButton variant="soft" intent={`request-${kind}`}>
            Send code
          </SubmitButton>
        </Form>
      )}
    </FormSection>
  )
}

function Phone({ contacts: { mobile_phone, phone_verified_on } }: { contacts: Contacts }) {
  if (!mobile_phone) return <>No number on file.</>
  return (
    <>
      {mobile_phone}{' '}
      {phone_verified_on ? <Badge tone="success">Verified</Badge> : <Badge>Not verified</Badge>}
    </>
  )
}

export function CodeForm({ pending, refused }: { pending: ContactChange; refused: Refused }) {
  const { kind, destination } = pending
  return (
    <FormSection title="Enter the code" help={`We sent it to ${destination}. It is valid for 15 minutes.`}>
      <Form method="post" className="plain-form">
        <input type="hidden" name="kind" value={kind} />
        <PlainField
          id={`code-${kind}`}
          name="code"
          label={`Code sent to ${destination}`}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={refused?.typed ?? ''}
          error={refused?.why}
          maxLength={6}
        />
        <SubmitButton intent="confirm">Confirm</SubmitButton>
      </Form>
    </FormSection>
  )
}

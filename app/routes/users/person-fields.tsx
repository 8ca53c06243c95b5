/** The fields of a person in their form, editable or fixed. */
import type { FieldMetadata } from '@conform-to/react'
import { labelsOf, namesOf } from '#app/domain/fields.ts'
import { PERSON } from '#app/domain/users/person.ts'
import type { User } from '#app/domain/users/user.ts'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormSection } from '#app/ui/form/form.tsx'
import { type DialCodes, PhoneInput } from '#app/ui/form/phone-input.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { Link } from '#app/ui/link.tsx'
import { UserFacts } from './edit-parts.tsx'

const LABELS = labelsOf(PERSON)

type Text = FieldMetadata<unknown>

type PersonSectionProps = {
  fields: Record<keyof typeof PERSON | 'dial_code', Text>
  /** Absent for a new one. */
  user: User | undefined
  timezones: readonly string[]
  dialCodes: DialCodes
  manages: boolean
  own: boolean
}

export function PersonSection({ fields, user, timezones, dialCodes, manages, own }: PersonSectionProps) {
  return (
    <FormSection title="Person" help="Shown to colleagues.">
      <TextInput field={fields.first_name} label={LABELS.first_name} autoComplete="off" required />
      <TextInput field={fields.last_name} label={LABELS.last_name} autoComplete="off" />
      {manages ? <EmailInput field={fields.email} user={user} /> : null}
      {own ? (
        <OwnNumber number={user?.mobile_phone ?? null} />
      ) : (
        <PhoneInput
          label={LABELS.mobile_phone}
          dial={partOf(fields.dial_code)}
          number={partOf(fields.mobile_phone)}
          dialCodes={dialCodes}
          errors={fields.mobile_phone.errors}
        />
      )}
      <TextInput field={fields.job_title} label={LABELS.job_title} maxLength={120} autoComplete="off" />
      <TextInput field={fields.department} label={LABELS.department} maxLength={120} autoComplete="off" />
      <SelectInput
        field={fields.timezone}
        label={LABELS.timezone}
        placeholder="As the company"
        options={timezones}
      />
    </FormSection>
  )
}

const partOf = ({ id, name, initialValue }: Text) => ({ id, name, value: String(initialValue ?? '') })

/** For somebody who works elsewhere too: sent unchanged, so that the roles here can be saved. */
export function FixedPerson({ user }: { user: User }) {
  return (
    <FormSection
      title="Person"
      help="This person also works elsewhere in the company. Its administrators manage their account."
    >
      <UserFacts user={user} />
      {namesOf(PERSON).map((name) => (
        <input key={name} type="hidden" name={name} value={user[name] ?? ''} />
      ))}
    </FormSection>
  )
}

/** One's own number is changed on the page that confirms it with a code. */
function OwnNumber({ number }: { number: string | null }) {
  return (
    <div className="field">
      <span className="field-label">{LABELS.mobile_phone}</span>
      <span>{number ?? 'No number on file.'}</span>
      <Link to="/settings/contact">Change e-mail or phone</Link>
    </div>
  )
}

type EmailInputProps = { field: Text; user: User | undefined }

/** An address in use can only be changed by its owner; it is still sent with the form. */
function EmailInput({ field, user }: EmailInputProps) {
  if (user && user.activation_status !== 'invited')
    return (
      <div className="field">
        <span className="field-label">{LABELS.email}</span>
        <span>{user.email}</span>
        <input type="hidden" name="email" value={user.email} />
      </div>
    )
  return <TextInput field={field} label="Work e-mail" type="email" autoComplete="off" required />
}

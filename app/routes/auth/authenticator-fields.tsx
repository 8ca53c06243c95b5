/** Fields shared by screens of the authenticator. */
import type { FieldMetadata } from '@conform-to/react'
import { autocompleteOf, LONGEST_ATTRIBUTE, labelOf, typeOf } from '#app/domain/authenticator/attributes.ts'
import { describePolicy, mustMatch, type PasswordPolicy } from '#app/domain/authenticator/new-password.ts'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'

type Passwords = { password: FieldMetadata<unknown>; confirm_password: FieldMetadata<unknown> }

export const UsernameInput = ({ field }: { field: FieldMetadata<unknown> }) => (
  <TextInput
    field={field}
    label="Email"
    type="email"
    placeholder="Enter your Email"
    autoComplete="username"
  />
)

/** A new password, typed twice. A mismatch is reported as soon as both are long enough. */
export function NewPasswordInputs({
  fields,
  policy,
  label = 'New Password',
}: {
  fields: Passwords
  policy: PasswordPolicy
  label?: string
}) {
  return (
    <>
      <TextInput
        field={fields.password}
        label={label}
        help={describePolicy(policy)}
        type="password"
        placeholder="Enter your Password"
        autoComplete="new-password"
      />
      <TextInput
        field={withMismatch(fields)}
        label="Confirm Password"
        type="password"
        placeholder="Please confirm your Password"
        autoComplete="new-password"
      />
    </>
  )
}

/** Both are long enough to be compared before they were left. */
export function isMismatch({ password, confirm_password }: Passwords): boolean {
  const typed = [password.value, confirm_password.value]
  const [one = '', other = ''] = typed.map((value) => (typeof value === 'string' ? value : ''))
  return mustMatch(one, other, false)
}

function withMismatch(fields: Passwords) {
  const confirm = fields.confirm_password
  if (confirm.errors?.length || !isMismatch(fields)) return confirm
  return new Proxy(confirm, {
    get: (field, name) => (name === 'errors' ? [MUST_MATCH] : Reflect.get(field, name)),
  })
}

const MUST_MATCH = 'Your passwords must match'

type AttributeProps = {
  fields: unknown
  names: readonly string[]
  dialCodes: { value: string; label: string }[]
}

/** Attributes that a pool requires; a phone number follows its country's dial code. */
export function AttributeInputs({ fields, names, dialCodes }: AttributeProps) {
  const all = fields as Record<string, FieldMetadata<string>>
  return names.map((name) => {
    const field = all[name]
    if (name === 'phone_number') return <PhoneInput key={name} fields={all} dialCodes={dialCodes} />
    if (!field || name === 'email') return null
    return (
      <TextInput
        key={name}
        field={field}
        label={labelOf(name)}
        maxLength={LONGEST_ATTRIBUTE}
        autoComplete={autocompleteOf(name)}
        type={typeOf(name)}
        required
      />
    )
  })
}

type PhoneProps = { fields: Record<string, FieldMetadata<string>>; dialCodes: AttributeProps['dialCodes'] }

function PhoneInput({ fields: { country_code, phone_number }, dialCodes }: PhoneProps) {
  if (!country_code || !phone_number) return null
  return (
    <>
      <SelectInput field={country_code} label="Country code" options={dialCodes} required />
      <TextInput
        field={phone_number}
        label="Phone Number"
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        required
      />
    </>
  )
}

/** The password, required before an address or number is changed, for people who have one here. */
import { useLocation } from '@remix-run/react'
import type { Contacts } from '#app/domain/account/contact-change.ts'
import { PlainField } from './plain-field.tsx'

/** The refusal and the input. */
export type Refused = { problem: string; at: 'value' | 'password'; typed: Record<string, string> } | null

type PasswordProps = { kind: string; contacts: Contacts; refused: Refused }

/** Never filled in again: it has to be typed once more. */
export function Password({ kind, contacts, refused }: PasswordProps) {
  const { key } = useLocation()
  if (!contacts.needs_password) return null
  return (
    <PlainField
      key={key}
      id={`password-${kind}`}
      name="password"
      type="password"
      autoComplete="current-password"
      label="Your password"
      value=""
      error={refused?.at === 'password' ? refused.problem : undefined}
    />
  )
}

/** Asked for before an address or a number changes, of whoever has a password here. */
import { useLocation } from '@remix-run/react'
import type { Contacts } from '#app/domain/account/contact-change.ts'
import { PlainField } from './plain-field.tsx'

/** What was refused, and what had been typed. */
export type Refused = { problem: string; at: 'value' | 'password'; typed: Record<string, string> } | null

type PasswordProps = { kind: string; contacts: Contacts; refused: Refused }

/** Never shown again: it is asked for anew. */
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

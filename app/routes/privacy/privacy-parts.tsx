import type { Consents } from '#app/domain/privacy/preferences.ts'
import { stampOf } from '#app/ui/stamp.ts'

type PlainCheckboxProps = { name: string; label: string; checked: boolean; disabled?: boolean }

export function PlainCheckbox({ name, label, checked, disabled = false }: PlainCheckboxProps) {
  return (
    <label className="plain-check">
      <input type="checkbox" name={name} defaultChecked={checked} disabled={disabled} />
      <span>{label}</span>
    </label>
  )
}

const SAID: Record<Consents['events'][number]['action'], string> = {
  opt_in: 'You agreed',
  opt_out: 'You opted out',
  import: 'The number was imported',
  invalid: 'The number cannot be reached',
  reassigned: 'The number has a new owner',
}

/** On record, for the person as well. */
export function ConsentHistory({ events, zone }: { events: Consents['events']; zone: string }) {
  if (events.length === 0) return null
  return (
    <details>
      <summary>History</summary>
      <ul className="consent-history">
        {events.map(({ action, number, at, wording_id }) => (
          <li key={`${at}-${action}`}>
            {SAID[action]}, {number}, <time dateTime={at}>{stampOf(at, zone)}</time>
            {wording_id ? `, wording ${wording_id}` : null}
          </li>
        ))}
      </ul>
    </details>
  )
}

import type { Consents } from '#app/domain/privacy/preferences.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
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

export function ConsentSection({ consents, zone }: { consents: Consents; zone: string }) {
  return (
    <Form method="post" key={`consents-${consents.sms_opt_in}`}>
      <FormSection title="Text messages" help={consents.number ?? 'There is no number on file.'}>
        <input type="hidden" name="before" value={consents.sms_opt_in ? 'yes' : 'no'} />
        <PlainCheckbox
          name="sms_opt_in"
          label={consents.wording.text}
          checked={consents.sms_opt_in}
          disabled={consents.number === null}
        />
        {consents.number === null ? (
          <p>
            <ButtonLink to="/settings/contact" variant="soft">
              Add a number
            </ButtonLink>
          </p>
        ) : (
          <div>
            <SubmitButton intent="consents" variant="soft">
              Save choice
            </SubmitButton>
          </div>
        )}
        <ConsentHistory events={consents.events} zone={zone} />
      </FormSection>
    </Form>
  )
}

const SAID: Record<Consents['events'][number]['action'], string> = {
  opt_in: 'You agreed',
  opt_out: 'You opted out',
  import: 'The number was imported',
  invalid: 'The number cannot be reached',
  reassigned: 'The number has a new owner',
}

/** The history of consents, visible to the person as well. */
function ConsentHistory({ events, zone }: { events: Consents['events']; zone: string }) {
  if (events.length === 0) return null
  return (
    <details>
      <summary>History</summary>
      <ul className="consent-history">
        {events.map(({ action, number, at, wording_id }) => (
          <li key={`${at}-${action}`}>
            {SAID[action]}, {number}, <time dateTime={at}>{stampOf(at, zone, new Date())}</time>
            {wording_id ? `, wording ${wording_id}` : null}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Administrators who may need another welcome e-mail, if the list of people is on another server. */
import { nameOrEmail } from '#app/domain/text/full-name.ts'
import { FormActions, FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'

type Admin = { id: string | number; first_name: string; last_name: string; email: string }

export function WelcomeAgain({ admins }: { admins: readonly Admin[] }) {
  const known = admins.filter(({ id }) => id !== '')
  if (known.length === 0) return null
  return (
    <Form method="post">
      <FormSection title="Invitations" help="For administrators who didn’t get theirs or lost it.">
        <fieldset className="form-row">
          <legend className="field-label">Send again to</legend>
          {known.map(({ id, ...admin }) => (
            <label key={id} className="choice">
              <input type="checkbox" name="user_ids" value={id} className="choice-box" />
              <span className="choice-label">{nameOrEmail(admin)}</span>
            </label>
          ))}
        </fieldset>
        <FormActions>
          <SubmitButton intent="resend" variant="soft">
            Send again
          </SubmitButton>
        </FormActions>
      </FormSection>
    </Form>
  )
}

/** Taking one's number away asks first, and asks for the password. */
import type { Contacts } from '#app/domain/account/contact-change.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { ErrorSummary } from '#app/ui/form/error-summary.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Password, type Refused } from './password.tsx'

type RemoveNumberProps = { contacts: Contacts; refused: Refused; closeHref: string }

export function RemoveNumber({ contacts, refused, closeHref }: RemoveNumberProps) {
  const problem = { label: 'Your password', errors: refused ? [refused.why] : [] }
  return (
    <Modal title="Remove your number?" closeHref={closeHref} size="small">
      <Form method="post" className="form-section-fields">
        {refused ? (
          <ErrorSummary id="remove-summary" problems={[{ fieldId: 'password-remove', ...problem }]} />
        ) : null}
        <p>
          <strong>{contacts.mobile_phone}</strong>
        </p>
        <p>You get no text messages, and your consent to them ends.</p>
        <Password kind="remove" contacts={contacts} refused={refused} />
        <div className="dialog-actions">
          <ButtonLink to={closeHref} variant="soft" color="gray" preventScrollReset>
            Cancel
          </ButtonLink>
          <SubmitButton intent="remove" color="red">
            Yes, remove
          </SubmitButton>
        </div>
      </Form>
    </Modal>
  )
}

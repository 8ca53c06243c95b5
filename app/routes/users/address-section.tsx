/** Says that mails to a person bounce or were reported as spam, with a way to try again. */
import type { AddressState } from '#app/domain/mail-stops/mail-stop.ts'
import { Day } from '#app/ui/day.tsx'
import { FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'

const WHY = {
  bounced: 'A message came back: the address takes no mail.',
  complained: 'A message was reported as spam.',
}

export const TRY_AGAIN = 'try_address_again'

export function AddressSection({ address: { email, stopped } }: { address: AddressState }) {
  if (!stopped) return null
  return (
    <FormSection
      title="This address is stopped"
      help="No lifts, reminders or encouragements are sent there. Codes and invitations still are."
    >
      <p>
        {email}, since <Day at={stopped.since} timed />. {WHY[stopped.why]}
      </p>
      <Form method="post">
        <SubmitButton intent={TRY_AGAIN} variant="soft">
          Try this address again
        </SubmitButton>
      </Form>
    </FormSection>
  )
}

/** A person on another server that shows no people: they can still be invited. */
import { FormActions, SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Page } from '#app/ui/page.tsx'

export function UnknownUser({ isAdmin }: { isAdmin: boolean }) {
  return (
    <Page narrow title="User" lead="The server behind these pages does not show details of people.">
      {isAdmin ? (
        <Form method="post">
          <FormActions>
            <SubmitButton intent="resend">Send invitation</SubmitButton>
          </FormActions>
        </Form>
      ) : null}
    </Page>
  )
}

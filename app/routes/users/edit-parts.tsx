/** What stands around the form of a person: their account, and the questions before it ends. */
import { namesOf } from '#app/domain/fields.ts'
import { PERSON } from '#app/domain/users/person.ts'
import type { User, UserRight } from '#app/domain/users/user.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { Facts } from '#app/ui/facts.tsx'
import { FieldErrors } from '#app/ui/field.tsx'
import { FormSection, SubmitButton } from '#app/ui/form.tsx'
import { useBesideAddress } from '#app/ui/list-place.ts'
import { Form } from '#app/ui/place-form.tsx'
import { useSearchLink } from '#app/ui/search.ts'
import { AccountBadge } from './list-parts.tsx'

/** Their name is the title of the page. */
const FACTS = namesOf(PERSON).filter((name) => name !== 'first_name' && name !== 'last_name')

export function UserFacts({ user }: { user: User }) {
  return (
    <Facts
      facts={{
        ...Object.fromEntries(FACTS.map((name) => [PERSON[name].label, user[name]])),
        Account: <AccountBadge user={user} />,
        Roles: [...new Set(user.user_general_roles.map(({ role }) => role))].join(', '),
      }}
    />
  )
}

/** What `?ask=` may ask: each a right of the same name. */
const QUESTIONS = [
  'reset_password',
  'take_second_factor',
  'opt_out',
  'deactivate',
  'delete',
  'erase',
] as const

type AccountProps = {
  user: User
  /** Why what was asked for could not be done. */
  refused: string | null
}

/** What the visitor may not do stands not here. */
export function AccountSection({ user, refused }: AccountProps) {
  const link = useSearchLink()
  const asking = (ask: string) => link({ ask })
  const may = (right: UserRight) => user.rights.includes(right)
  const { activation_status } = user
  return (
    <FormSection title="Account" help="Whoever is deactivated is logged out at once and cannot sign in.">
      <p>
        <AccountBadge user={user} />
      </p>
      <div role="alert">
        <FieldErrors id="account-errors" errors={refused ? [refused] : undefined} />
      </div>
      <div className="row-actions row-actions-start">
        {may('resend_welcome') ? (
          <IntentButton intent="resend_welcome">Resend invitation</IntentButton>
        ) : null}
        {may('reset_password') && activation_status === 'active' ? (
          <ButtonLink to={asking('reset_password')} variant="soft" color="gray">
            Ask for a new password
          </ButtonLink>
        ) : null}
        {may('take_second_factor') && activation_status === 'active' ? (
          <ButtonLink to={asking('take_second_factor')} variant="soft" color="gray">
            Take second factor away
          </ButtonLink>
        ) : null}
        {may('opt_out') && user.mobile_phone ? (
          <ButtonLink to={asking('opt_out')} variant="soft" color="gray">
            End text messages
          </ButtonLink>
        ) : null}
        {may('activate') && activation_status === 'disabled' ? (
          <IntentButton intent="activate">Activate account</IntentButton>
        ) : null}
        {may('deactivate') && activation_status !== 'disabled' ? (
          <ButtonLink to={asking('deactivate')} variant="outline" color="red">
            Deactivate account
          </ButtonLink>
        ) : null}
        {may('delete') ? (
          <ButtonLink to={asking('delete')} variant="outline" color="red">
            Delete user
          </ButtonLink>
        ) : null}
        {may('erase') ? (
          <ButtonLink to={asking('erase')} variant="outline" color="red">
            Erase for good
          </ButtonLink>
        ) : null}
        {may('download') ? (
          <ButtonLink
            to={`/users/edit/${user.id}/data`}
            variant="soft"
            color="gray"
            prefetch="none"
            reloadDocument
          >
            Download data
          </ButtonLink>
        ) : null}
      </div>
    </FormSection>
  )
}

function IntentButton({ intent, children }: { intent: string; children: string }) {
  return (
    <Form method="post">
      <SubmitButton intent={intent} variant="soft">
        {children}
      </SubmitButton>
    </Form>
  )
}

export function Question({ user, ask }: { user: User; ask: string | null }) {
  const here = useBesideAddress()(`/users/edit/${user.id}`)
  if (!QUESTIONS.some((right) => right === ask && user.rights.includes(right))) return null
  if (ask === 'reset_password')
    return (
      <ConfirmDialog
        title={`Ask ${user.name} for a new password?`}
        message="They are logged out everywhere. At the next sign-in a code is sent to their e-mail address, and with it they choose a new password."
        continueText="Yes, ask"
        cancelHref={here}
        variant="warning"
        fields={{ intent: 'reset_password' }}
      />
    )
  if (ask === 'take_second_factor')
    return (
      <ConfirmDialog
        title={`Take the second factor of ${user.name} away?`}
        message="For a lost phone. Make sure that it is really they who ask. They are logged out everywhere and told by e-mail; until they set up another one, the password alone signs them in, unless one is required."
        continueText="Yes, take it away"
        cancelHref={here}
        variant="warning"
        fields={{ intent: 'take_second_factor' }}
      />
    )
  if (ask === 'opt_out')
    return (
      <ConfirmDialog
        title={`End text messages to ${user.name}?`}
        message="For somebody who told you that they want no more of them. Their lifts come by e-mail from now on. Only they themselves can say yes again: in their profile, or by texting START."
        continueText="Yes, end them"
        cancelHref={here}
        variant="warning"
        fields={{ intent: 'opt_out' }}
      />
    )
  if (ask === 'deactivate')
    return (
      <ConfirmDialog
        title={`Deactivate ${user.name}?`}
        message="They are logged out at once and cannot sign in until the account is activated again."
        continueText="Yes, deactivate"
        cancelHref={here}
        variant="warning"
        fields={{ intent: 'deactivate' }}
      />
    )
  if (ask === 'erase')
    return (
      <ConfirmDialog
        title={`Erase ${user.name} for good?`}
        message="Name, address, number, messages and written answers are removed everywhere, and the account is closed. Figures keep an unnamed place. This cannot be undone."
        continueText="Yes, erase"
        cancelHref={here}
        variant="error"
        fields={{ intent: 'erase' }}
      />
    )
  return (
    <ConfirmDialog
      title={`Delete ${user.name}?`}
      message="This cannot be undone. Whoever takes part in a journey can only be deactivated."
      continueText="Yes, delete"
      cancelHref={here}
      variant="error"
      fields={{ intent: 'delete' }}
    />
  )
}

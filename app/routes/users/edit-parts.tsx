/** What stands around the form of a person: their account, and the questions before it ends. */
import { Form } from '@remix-run/react'
import type { User } from '#app/domain/users/user.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { Facts } from '#app/ui/facts.tsx'
import { FormSection, SubmitButton } from '#app/ui/form.tsx'
import { AccountBadge } from './list-parts.tsx'

export function UserFacts({ user }: { user: User }) {
  return (
    <Facts
      facts={{
        'E-mail': user.email,
        'Job title': user.job_title,
        'Mobile phone': user.mobile_phone,
        'Time zone': user.timezone,
        Account: <AccountBadge status={user.activation_status} />,
        Roles: [...new Set(user.user_general_roles.map(({ role }) => role))].join(', '),
      }}
    />
  )
}

/** Nobody ends their own account here. */
export function AccountSection({ user, own }: { user: User; own: boolean }) {
  const here = `/users/edit/${user.id}`
  return (
    <FormSection title="Account" help="Whoever is deactivated is logged out at once and cannot sign in.">
      <p>
        <AccountBadge status={user.activation_status} />
      </p>
      {own ? null : (
        <div className="row-actions row-actions-start">
          {user.activation_status === 'invited' ? (
            <IntentButton intent="resend_welcome">Resend invitation</IntentButton>
          ) : null}
          {user.activation_status === 'disabled' ? (
            <IntentButton intent="activate">Activate account</IntentButton>
          ) : (
            <ButtonLink to={`${here}?ask=deactivate`} variant="outline" color="red">
              Deactivate account
            </ButtonLink>
          )}
          <ButtonLink to={`${here}?ask=delete`} variant="outline" color="red">
            Delete user
          </ButtonLink>
          <ButtonLink to={`${here}?ask=erase`} variant="outline" color="red">
            Erase for good
          </ButtonLink>
          <ButtonLink to={`${here}/data`} variant="soft" color="gray" prefetch="none" reloadDocument>
            Download data
          </ButtonLink>
        </div>
      )}
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
  const here = `/users/edit/${user.id}`
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
  if (ask !== 'delete') return null
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

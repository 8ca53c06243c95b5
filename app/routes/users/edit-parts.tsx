/** The parts around the form of a person: their account, and the questions before it ends. */

import { namesOf } from '#app/domain/fields.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { PERSON } from '#app/domain/users/person.ts'
import type { User } from '#app/domain/users/user.ts'
import { Badge } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { Day } from '#app/ui/day.tsx'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { Facts } from '#app/ui/facts.tsx'
import { FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { useBesideAddress } from '#app/ui/list/list-place.ts'
import { useSearchLink } from '#app/ui/list/search.ts'
import { ACCOUNT_ACTION_NAMES, type AccountActionName, accountAction } from './account-actions.ts'
import { inWords } from './in-words.ts'
import { AccountBadge } from './list-parts.tsx'

/** Without the name, which is the title of the page. */
const FACTS = namesOf(PERSON).filter((name) => name !== 'first_name' && name !== 'last_name')

export function UserFacts({ user }: { user: User }) {
  return (
    <Facts
      facts={{
        ...Object.fromEntries(FACTS.map((name) => [PERSON[name].label, user[name]])),
        Account: <AccountBadge user={user} />,
        Roles: [...new Set(user.user_general_roles.map(({ role }) => inWords(role)))].join(', '),
      }}
    />
  )
}

/** Why an action failed: at the top, where the page is read from afterwards. */
export const AccountRefusal = ({ why }: { why: string }) => (
  <p className="form-errors" role="alert" id="account-errors" data-accent-color="red">
    {why}
  </p>
)

/** Only actions that the visitor may take. */
export function AccountSection({ user }: { user: User }) {
  return (
    <FormSection title="Account" help="Deactivated people are logged out and can’t sign in.">
      <p>
        <AccountBadge user={user} />{' '}
        {user.mobile_phone === null || user.sms_opt_in === undefined ? null : (
          <Badge>{user.sms_opt_in ? 'Gets texts' : 'Gets no texts'}</Badge>
        )}
      </p>
      <LastSeen user={user} />
      <div className="row-actions row-actions-start">
        {ACCOUNT_ACTION_NAMES.map((name) => (
          <ActionButton key={name} name={name} user={user} />
        ))}
        {user.rights.includes('download') ? (
          <ButtonLink to={`/users/edit/${user.id}/data`} variant="soft" color="gray" reloadDocument>
            Download data
          </ButtonLink>
        ) : null}
      </div>
    </FormSection>
  )
}

function LastSeen({ user: { last_seen_on, is_erased } }: { user: User }) {
  if (last_seen_on === undefined || is_erased) return null
  return (
    <p>
      {last_seen_on ? (
        <>
          Last seen <Day at={last_seen_on} timed />
        </>
      ) : (
        'Never signed in'
      )}
    </p>
  )
}

function ActionButton({ name, user }: { name: AccountActionName; user: User }) {
  const link = useSearchLink()
  const { label, question, ends, when } = accountAction(name)
  if (!user.rights.includes(name) || when?.(user) === false) return null
  if (question)
    return (
      <ButtonLink
        to={link({ ask: name })}
        variant={ends ? 'outline' : 'soft'}
        color={ends ? 'red' : 'gray'}
        preventScrollReset
      >
        {label}
      </ButtonLink>
    )
  return (
    <Form method="post">
      <SubmitButton intent={name} variant="soft">
        {label}
      </SubmitButton>
    </Form>
  )
}

function questionOf(user: User, ask: string | null) {
  const name = ACCOUNT_ACTION_NAMES.find((one) => one === ask && user.rights.includes(one))
  const question = name && accountAction(name).question
  return question ? { name, question } : null
}

/** The title of the page, or of its question. */
export const titleOf = (user: User, ask: string | null): string =>
  questionOf(user, ask)?.question.title(isolated(user.name)) ?? isolated(user.name)

/** The question of `?ask=`, if the visitor may do it. */
export function AccountQuestion({ user, ask }: { user: User; ask: string | null }) {
  const here = useBesideAddress()(`/users/edit/${user.id}`)
  const asked = questionOf(user, ask)
  if (!asked) return null
  const { name, question } = asked
  return (
    <ConfirmDialog
      title={question.title(isolated(user.name))}
      message={question.message}
      continueText={question.yes}
      cancelHref={here}
      variant={question.variant}
      fields={{ intent: name }}
    />
  )
}

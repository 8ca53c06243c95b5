/** The profile in front of another server, which has no call to change one. */
import { labelsOf, pick } from '#app/domain/fields.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { PERSON } from '#app/domain/users/person.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Facts } from '#app/ui/facts.tsx'

const SHOWN = ['first_name', 'last_name', 'job_title', 'mobile_phone'] as const
const LABELS = labelsOf(pick(PERSON, SHOWN))

export function ProfileElsewhere({ user }: { user: CurrentUser }) {
  const own = SHOWN.map((name) => [LABELS[name], user[name]])
  return (
    <>
      {user.accept_terms_and_conditions ? (
        <p className="quiet">The server behind these pages keeps your profile. You can change it there.</p>
      ) : (
        <div className="banner" data-accent-color="amber" role="status">
          <p>
            <strong>Accept the terms and conditions first.</strong> The server behind these pages keeps them,
            and you cannot accept them here. Accept them where you got your account, or ask an administrator
            of your company. Then check again.
          </p>
          <ButtonLink to="/" reloadDocument>
            Check again
          </ButtonLink>
        </div>
      )}
      <Facts facts={{ ...Object.fromEntries(own), 'E-mail': user.email, Company: user.tenant.name }} />
    </>
  )
}

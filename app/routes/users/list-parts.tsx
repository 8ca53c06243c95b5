/** The parts of the list of people. */
import { Form, Link } from '@remix-run/react'
import type { User } from '#app/domain/users/user.ts'
import { Badge, type Tone } from '#app/ui/badge.tsx'
import { Day } from '#app/ui/day.tsx'
import { SubmitButton } from '#app/ui/form.tsx'
import type { Column } from '#app/ui/table.tsx'

const BULK_FORM = 'bulk'

const STATUS_TONES: Record<User['activation_status'], Tone> = {
  active: 'success',
  invited: 'accent',
  disabled: 'neutral',
}

export function AccountBadge({ status }: { status: User['activation_status'] }) {
  return <Badge tone={STATUS_TONES[status]}>{inWords(status)}</Badge>
}

/** `selects`: whether rows are chosen for the actions below the list. */
export const userColumns = (zone: string, selects: boolean): readonly Column<User>[] => [
  {
    key: 'name',
    label: 'Name',
    sortable: true,
    render: (user) => (
      <span className="name-cell">
        {selects ? (
          <label className="pick">
            <input type="checkbox" className="choice-box" name="user_ids" value={user.id} form={BULK_FORM} />
            <span className="hidden-words">Select {user.name}</span>
          </label>
        ) : null}
        <Link to={`/users/edit/${user.id}`}>{user.name}</Link>
      </span>
    ),
  },
  { key: 'email', label: 'E-mail', sortable: true },
  { key: 'job_title', label: 'Job title' },
  { key: 'roles', label: 'Roles', render: (user) => rolesOf(user).join(', ') },
  {
    key: 'status',
    label: 'Status',
    sortable: true,
    render: ({ activation_status }) => <AccountBadge status={activation_status} />,
  },
  { key: 'date', label: 'Added', sortable: true, render: (user) => <Day at={user.created_on} zone={zone} /> },
]

/** The boxes of the list belong to this form. */
export function BulkActions() {
  return (
    <Form method="post" id={BULK_FORM} className="bulk-bar">
      <span>With those selected:</span>
      <SubmitButton intent="resend_welcome" variant="soft" color="gray">
        Resend invitation
      </SubmitButton>
      <SubmitButton intent="activate" variant="soft" color="gray">
        Activate
      </SubmitButton>
      <SubmitButton intent="deactivate" variant="soft" color="red">
        Deactivate
      </SubmitButton>
    </Form>
  )
}

const rolesOf = (user: User): string[] => [
  ...new Set(user.user_general_roles.map(({ role }) => inWords(role))),
]

export function inWords(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

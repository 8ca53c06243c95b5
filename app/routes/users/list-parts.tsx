/** The parts of the list of people. */
import { namesWith, pick } from '#app/domain/fields.ts'
import { PERSON } from '#app/domain/users/person.ts'
import { USER_ORDERS, type User } from '#app/domain/users/user.ts'
import { Badge, type Tone } from '#app/ui/badge.tsx'
import { Day } from '#app/ui/day.tsx'
import { Link } from '#app/ui/link.tsx'
import type { Column } from '#app/ui/list/table.tsx'
import { BULK_FORM } from './bulk-bar.tsx'

const STATUS_TONES: Record<User['activation_status'], Tone> = {
  active: 'success',
  invited: 'accent',
  disabled: 'neutral',
}

type AccountBadgeProps = { user: Pick<User, 'activation_status' | 'is_erased'> }

export function AccountBadge({ user: { activation_status: status, is_erased } }: AccountBadgeProps) {
  if (is_erased) return <Badge tone="neutral">Erased</Badge>
  return <Badge tone={STATUS_TONES[status]}>{inWords(status)}</Badge>
}

/** Who has none of them is not chosen either. */
const BULK_RIGHTS = ['resend_welcome', 'activate', 'deactivate'] as const

const LISTED = namesWith(PERSON, 'listed')

/** What the list shows of a person, and no more. */
export const toListed = (user: User) => ({
  ...pick(user, ['id', 'name', 'activation_status', 'is_erased', 'created_on', ...LISTED]),
  roles: rolesOf(user),
  may_be_chosen: BULK_RIGHTS.some((right) => user.rights.includes(right)),
})
type ListedUser = ReturnType<typeof toListed>

/** `selected`: whose boxes are ticked; null where nobody is chosen for the actions below the list. */
export const userColumns = (
  selected: readonly number[] | null,
  rowAddress: (path: string) => string,
): readonly Column<ListedUser>[] => [
  {
    key: 'name',
    label: 'Name',
    sortable: true,
    render: (user) => (
      <span className="name-cell">
        {selected && user.may_be_chosen ? (
          <label className="pick">
            <input
              type="checkbox"
              className="choice-box"
              name="user_ids"
              value={user.id}
              form={BULK_FORM}
              defaultChecked={selected.includes(user.id)}
            />
            <span className="hidden-words">Select {user.name}</span>
          </label>
        ) : null}
        <Link to={rowAddress(`/users/edit/${user.id}`)}>{user.name}</Link>
      </span>
    ),
  },
  ...LISTED.map((key) => ({
    key,
    label: PERSON[key].label,
    sortable: USER_ORDERS.some((order) => order === key),
  })),
  { key: 'roles', label: 'Roles', render: (user) => user.roles.join(', ') },
  {
    key: 'status',
    label: 'Status',
    sortable: true,
    render: (user) => <AccountBadge user={user} />,
  },
  { key: 'date', label: 'Added', sortable: true, render: (user) => <Day at={user.created_on} /> },
]

const rolesOf = (user: User): string[] => [
  ...new Set(user.user_general_roles.map(({ role }) => inWords(role))),
]

export function inWords(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

import { isolated } from '#app/domain/text/isolated.ts'
import { statusWord } from '#app/domain/users/status-word.ts'
import type { User } from '#app/domain/users/user.ts'
import { Badge, type Tone } from '#app/ui/badge.tsx'
import { Day } from '#app/ui/day.tsx'
import { Link } from '#app/ui/link.tsx'
import type { Column } from '#app/ui/list/table.tsx'
import { BULK_FORM } from './bulk-bar.tsx'
import { Email } from './email.tsx'
import { inWords } from './in-words.ts'
import type { ListedField, ListedUser } from './listed.server.ts'

const STATUS_TONES: Record<User['activation_status'], Tone> = {
  active: 'success',
  invited: 'accent',
  disabled: 'neutral',
}

type AccountBadgeProps = { user: Pick<User, 'activation_status' | 'is_erased'> }

export function AccountBadge({ user: { activation_status: status, is_erased } }: AccountBadgeProps) {
  if (is_erased) return <Badge tone="neutral">Erased</Badge>
  return <Badge tone={STATUS_TONES[status]}>{inWords(statusWord(status))}</Badge>
}

/** `selected`: the ticked people; null without bulk actions. */
export const userColumns = (
  listed: readonly ListedField[],
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
              // Mounted again when the address ticks or clears it.
              key={String(selected.includes(user.id))}
              type="checkbox"
              className="choice-box"
              name="user_ids"
              value={user.id}
              form={BULK_FORM}
              defaultChecked={selected.includes(user.id)}
            />
            <span className="hidden-words">Select {isolated(user.name)}</span>
          </label>
        ) : null}
        <Link to={rowAddress(`/users/edit/${user.id}`)}>
          <bdi>{user.name}</bdi>
        </Link>
      </span>
    ),
  },
  ...listed.map(({ name, ...shown }) => ({
    key: name,
    ...shown,
    render: (user: ListedUser) =>
      name === 'email' ? <Email email={user.email} /> : user[name] ? <bdi>{user[name]}</bdi> : null,
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

import type { Commitment } from '#app/domain/lifts/commitment.ts'
import { dayInWords } from '#app/domain/text/date-format.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Icon } from '#app/ui/icons.tsx'
import { Link } from '#app/ui/link.tsx'

/** One line each, as a link to the list in which they are ended. */
export const OpenCommitments = ({ commitments }: { commitments: readonly Commitment[] }) => (
  <ul className="todo">
    {commitments.map(({ id, what, journey, by_on, is_late }) => (
      <li key={id}>
        <Link className="todo-item" to="/todo#commitments">
          <span className="todo-words">
            <span className="todo-title">I will {isolated(what)}</span>
            <span className="todo-hint">
              {isolated(journey.name)}, by {dayInWords(by_on)}{' '}
              {is_late ? <Badge tone="warning">Overdue</Badge> : null}
            </span>
          </span>
          <span className="todo-go">
            Open
            <Icon name="forward" size={16} />
          </span>
        </Link>
      </li>
    ))}
  </ul>
)

/** The learners who need their sponsor's attention: one line each, as a single link. */

import { type BriefItem, reasonsOf } from '#app/domain/sponsors/brief.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Icon } from '#app/ui/icons.tsx'
import { Link } from '#app/ui/link.tsx'

export function BriefList({ items }: { items: readonly BriefItem[] }) {
  return (
    <ul className="todo">
      {items.map(({ journey, user_id, name, ...item }) => (
        <li key={`${journey.id} ${user_id}`}>
          <Link className="todo-item" to={`/sponsors-journey/${journey.id}?learner=${user_id}`}>
            <span className="todo-words">
              <span className="todo-title">{isolated(name)}</span>
              <span className="todo-hint">
                {isolated(journey.name)}: {reasonsOf(item).join(', ')}
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
}

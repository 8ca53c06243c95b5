import { type BriefItem, reasonsOf } from '#app/domain/sponsors/brief.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { TodoLink } from '#app/ui/todo-link.tsx'

/** The learners who need their sponsor's attention. */
export function BriefList({ items }: { items: readonly BriefItem[] }) {
  return (
    <ul className="todo">
      {items.map(({ journey, user_id, name, ...item }) => (
        <li key={`${journey.id} ${user_id}`}>
          <TodoLink
            to={`/sponsors-journey/${journey.id}?learner=${user_id}`}
            title={isolated(name)}
            hint={`${isolated(journey.name)}: ${reasonsOf(item).join(', ')}`}
          />
        </li>
      ))}
    </ul>
  )
}

import type { Commitment } from '#app/domain/lifts/commitment.ts'
import { dayInWords } from '#app/domain/text/date-format.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Badge } from '#app/ui/badge.tsx'
import { TodoLink } from '#app/ui/todo-link.tsx'

/** Each leads to the list in which it is ended. */
export const OpenCommitments = ({ commitments }: { commitments: readonly Commitment[] }) => (
  <ul className="todo">
    {commitments.map(({ id, what, journey, by_on, is_late }) => (
      <li key={id}>
        <TodoLink
          to="/todo#commitments"
          title={`I will ${isolated(what)}`}
          hint={
            <>
              {isolated(journey.name)}, by {dayInWords(by_on)}{' '}
              {is_late ? <Badge tone="warning">Overdue</Badge> : null}
            </>
          }
        />
      </li>
    ))}
  </ul>
)

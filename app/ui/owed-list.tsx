import type { OwedForm } from '#app/domain/assessments/form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Day } from './day.tsx'
import { TodoLink } from './todo-link.tsx'

/** The assessments that the visitor has to fill in. */
export function OwedList({ items, zone }: { items: readonly OwedForm[]; zone: string }) {
  return (
    <ul className="todo">
      {items.map((item) => (
        <li key={`${item.assessment_id} ${item.learner.id} ${item.rater}`}>
          <TodoLink
            to={owedHref(item)}
            title={`${isolated(item.name)}: ${
              item.rater === 'self' ? 'how you see yourself' : `how you see ${isolated(item.learner.name)}`
            }`}
            hint={
              <>
                {isolated(item.journey.name)}
                {item.closes_at ? (
                  <>
                    , open until <Day at={item.closes_at} zone={zone} timed />
                  </>
                ) : null}
              </>
            }
            go={item.is_started ? 'Go on' : 'Start'}
          />
        </li>
      ))}
    </ul>
  )
}

const owedHref = ({ journey, learner, assessment_id }: OwedForm): string =>
  `/lljs/${journey.id}/assessments/${learner.id}?assessment=${assessment_id}`

import type { OwedForm } from '#app/domain/assessments/form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Link } from '#app/ui/link.tsx'
import { Day } from './day.tsx'
import { Icon } from './icons.tsx'

/** The assessments that the visitor has to fill in: one line each, as a single link. */
export function OwedList({ items, zone }: { items: readonly OwedForm[]; zone: string }) {
  return (
    <ul className="todo">
      {items.map((item) => (
        <li key={`${item.assessment_id} ${item.learner.id} ${item.rater}`}>
          <Link className="todo-item" to={owedHref(item)}>
            <span className="todo-words">
              <span className="todo-title">
                {isolated(item.name)}:{' '}
                {item.rater === 'self'
                  ? 'how you see yourself'
                  : `how you see ${isolated(item.learner.name)}`}
              </span>
              <span className="todo-hint">
                {isolated(item.journey.name)}
                {item.closes_at ? (
                  <>
                    , open until <Day at={item.closes_at} zone={zone} timed />
                  </>
                ) : null}
              </span>
            </span>
            <span className="todo-go">
              {item.is_started ? 'Go on' : 'Start'}
              <Icon name="forward" size={16} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const owedHref = ({ journey, learner, assessment_id }: OwedForm): string =>
  `/lljs/${journey.id}/assessments/${learner.id}?assessment=${assessment_id}`

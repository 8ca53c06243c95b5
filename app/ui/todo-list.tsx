import type { z } from 'zod'
import type { TodoItem } from '#app/domain/participants/learning.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Link } from '#app/ui/link.tsx'
import { Badge } from './badge.tsx'
import { Day } from './day.tsx'
import { Icon } from './icons.tsx'

/**
 * The lifts waiting for the visitor: one line each, as a single link. Opening one is recorded, so none is prefetched.
 */
export function TodoList({ items, zone }: { items: readonly z.infer<typeof TodoItem>[]; zone: string }) {
  return (
    <ul className="todo">
      {items.map((item) => (
        <li key={item.lift_id}>
          <Link className="todo-item" to={`/lift/${item.lift_id}`}>
            <span className="todo-words">
              <span className="todo-title">{isolated(item.title)}</span>
              <span className="todo-hint">
                {isolated(item.journey.name)}, about {minutes(item.est_minutes)}
                {item.closes_at ? (
                  <>
                    , open until <Day at={item.closes_at} zone={zone} timed />
                  </>
                ) : null}{' '}
                {item.is_overdue ? <Badge tone="warning">Overdue</Badge> : null}
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

const minutes = (count: number): string => (count === 1 ? '1 minute' : `${count} minutes`)

import type { z } from 'zod'
import type { TodoItem } from '#app/domain/participants/learning.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Badge } from './badge.tsx'
import { Day } from './day.tsx'
import { TodoLink } from './todo-link.tsx'

/** The lifts waiting for the visitor. Opening one is recorded, so none is prefetched. */
export function TodoList({ items, zone }: { items: readonly z.infer<typeof TodoItem>[]; zone: string }) {
  return (
    <ul className="todo">
      {items.map((item) => (
        <li key={item.lift_id}>
          <TodoLink
            to={`/lift/${item.lift_id}`}
            title={isolated(item.title)}
            hint={
              <>
                {isolated(item.journey.name)}, about {minutes(item.est_minutes)}
                {item.closes_at ? (
                  <>
                    , open until <Day at={item.closes_at} zone={zone} timed />
                  </>
                ) : null}{' '}
                {item.is_overdue ? <Badge tone="warning">Overdue</Badge> : null}
              </>
            }
            go={item.is_started ? 'Go on' : 'Start'}
          />
        </li>
      ))}
    </ul>
  )
}

const minutes = (count: number): string => (count === 1 ? '1 minute' : `${count} minutes`)

/** The first of today's messages, and of the journeys in which people are behind. */

import { isolated } from '#app/domain/text/isolated.ts'
import type { Work } from '#app/domain/today/today.ts'
import { Day } from '#app/ui/day.tsx'
import { Link } from '#app/ui/link.tsx'
import { counted } from './counted.ts'

const people = (many: number): string => `${counted(many)} ${many === 1 ? 'learner' : 'learners'}`

export function Leaving({ leaving: { data }, zone }: { leaving: Work['leaving']; zone: string }) {
  if (data.length === 0) return null
  return (
    <section className="section" aria-labelledby="leaving">
      <h2 id="leaving">Going out today</h2>
      <ul className="todo">
        {data.map(({ id, title, journey, people: many, first_at }) => (
          <li key={id} className="todo-item">
            <span className="todo-words">
              <span className="todo-title">
                <Link to={`/lljs/${journey.id}/schedule?lift=${id}`}>{isolated(title)}</Link>
              </span>
              <span className="todo-hint">
                {isolated(journey.name)}: {people(many)}, from <Day at={first_at} zone={zone} timed />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Behind({ behind: { journeys } }: { behind: Work['behind'] }) {
  if (journeys.length === 0) return null
  return (
    <section className="section" aria-labelledby="behind">
      <h2 id="behind">Behind</h2>
      <ul className="todo">
        {journeys.map(({ id, name, people: many }) => (
          <li key={id} className="todo-item">
            <span className="todo-words">
              <span className="todo-title">{isolated(name)}</span>
              <span className="todo-hint">{people(many)} with an open lift that was due over 3 days ago</span>
            </span>
            <Link to={`/analytics/explain?figure=completion&outcome=behind&journey=${id}`}>
              Who is behind<span className="hidden-words">{` in “${isolated(name)}”`}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The journeys in which somebody sponsors learners. */

import type { SponsoredJourneys } from '#app/domain/sponsors/sponsored.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Link } from '#app/ui/link.tsx'

export function SponsoredTiles({ journeys }: { journeys: SponsoredJourneys['data'] }) {
  return (
    <ul className="tiles">
      {journeys.map(({ id, name, learners, overdue, to_acknowledge }) => (
        <li key={id}>
          <Link className="tile" to={`/sponsors-journey/${id}`}>
            <span className="tile-title">{isolated(name)}</span>
            <span className="tile-hint">
              {[
                counted(learners, 'learner'),
                ...(overdue > 0 ? [counted(overdue, 'overdue lift')] : []),
                ...(to_acknowledge > 0 ? [counted(to_acknowledge, 'new commitment')] : []),
              ].join(', ')}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

const counted = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`

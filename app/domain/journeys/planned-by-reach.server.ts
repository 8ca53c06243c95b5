import { plannedOnce, type Written } from '#app/db/plans/named.server.ts'
import { maySeeAllJourneys } from '../access/journeys.ts'
import type { Scope } from '../scope/scope.server.ts'

/**
 * A prepared statement about editable journeys, in two variants: for actors who see all journeys, and for authors who
 * see their own.
 */
export function plannedByReach<Row>(write: (seesAll: boolean) => Written<Row>) {
  const all = plannedOnce(() => write(true))
  const own = plannedOnce(() => write(false))
  return ({ actor, db }: Scope): Promise<Row[]> => (maySeeAllJourneys(actor) ? all : own)(db)
}

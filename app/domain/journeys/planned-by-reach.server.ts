import { plannedOnce, type Written } from '#app/db/plans/named.server.ts'
import { maySeeAllJourneys } from '../access/journeys.ts'
import type { Scope } from '../scope/scope.server.ts'

/** A statement about the journeys that somebody may change: planned once for those who see all, and once for those who see their own. */
export function plannedByReach<Row>(write: (seesAll: boolean) => Written<Row>) {
  const all = plannedOnce(() => write(true))
  const own = plannedOnce(() => write(false))
  return ({ actor, db }: Scope): Promise<Row[]> => (maySeeAllJourneys(actor) ? all : own)(db)
}

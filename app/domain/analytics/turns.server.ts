/** Applies the filters of a report to lifts and answers. */
import type { Scope } from '../scope/scope.server.ts'
import { requireSubjects } from './filters.server.ts'
import { asOf, selectMatching } from './population.server.ts'
import type { AnalyticsFilters } from './query.ts'

/** `facts` is null without filters: then future occurrences are shown, too. */
export async function chooseTurns(scope: Scope, { as_of, ...filters }: AnalyticsFilters) {
  const moment = await asOf(scope, { as_of })
  await requireSubjects(scope, filters)
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return {
    facts: isFiltered ? selectMatching(scope, filters, moment) : null,
    as_of: as_of === undefined ? null : moment,
  }
}

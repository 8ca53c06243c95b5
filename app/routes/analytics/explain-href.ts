/** The URL of the learners and lifts behind a figure. */
import type { FigureName } from '#app/domain/analytics/definitions.ts'
import { FILTER_NAMES } from '#app/domain/analytics/filter-names.ts'

/** The filters of a report, as in its URL. */
export type Asked = Partial<Record<(typeof FILTER_NAMES)[number], number | undefined>> &
  Partial<Record<'from' | 'to' | 'as_of', string | undefined>>

export function explainHref(asked: Asked, figure: FigureName, outcome: 'all' | 'yes' | 'no' = 'all'): string {
  const search = new URLSearchParams({ figure })
  if (outcome !== 'all') search.set('outcome', outcome)
  for (const name of [...FILTER_NAMES, 'from', 'to', 'as_of'] as const) {
    const value = asked[name]
    if (value !== undefined) search.set(name, String(value))
  }
  return `/analytics/explain?${search}`
}

/** The tables of a report, and the parts of its URL that an export uses. */
import type { AnalyticsSearch } from '#app/domain/analytics/query.ts'
import type { Exported } from './export-form.tsx'
import { filtersOf } from './read-report.server.ts'

type Shown = {
  search: AnalyticsSearch
  overview: { as_of: string }
  learner?: { user_id: number; journey: { id: number } }
  drawn_since?: string | null
}

export function exportedOf({ search, overview, learner, drawn_since }: Shown): Exported[] {
  const { type, journey, user, lift, q } = search
  const [order_by, order] = search.order.split(':')
  const asked = { ...filtersOf(search), as_of: search.as_of ?? overview.as_of, q, order_by, order }
  if (type === 'by_user' && learner)
    return [{ tables: ['learner'], asked: { ...asked, journey: learner.journey.id, user: learner.user_id } }]
  if (type === 'by_user') return [{ tables: [user ? 'by_lift' : 'by_user'], asked }]
  if (type === 'by_lift' && lift) return [{ tables: ['questions', 'answers', 'timing', 'overview'], asked }]
  if (type === 'by_lift') return [{ tables: ['by_lift'], asked }]
  const tables = ['overview', journey ? 'grid' : 'by_lift'] as const
  const pictures = ['trend', 'timing', 'failures'] as const
  // For a whole company the charts begin later than the tiles.
  return drawn_since && !search.from
    ? [
        { tables, asked },
        { tables: pictures, label: 'Chart', asked: { ...asked, from: drawn_since } },
      ]
    : [{ tables: [...tables, ...pictures], asked }]
}

/** The tabs of reports; switching keeps the filters. */
import { useSearchParams } from '@remix-run/react'
import type { AnalyticsSearch } from '#app/domain/analytics/query.ts'
import { ANALYTICS_TYPES } from '#app/domain/analytics/rate.ts'
import { Link } from '#app/ui/link.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'

const TITLES = { overview: 'Overview', by_user: 'By user', by_lift: 'By lift' } as const
const AFRESH = { page: null, lifts_page: null, order: null, q: null }

export function Tabs({ type }: { type: AnalyticsSearch['type'] | 'assessments' }) {
  const link = useSearchLink()
  const journey = useSearchParams()[0].get('journey')
  return (
    <nav aria-label="Reports" className="report-tabs">
      {ANALYTICS_TYPES.map((one) => (
        <Link
          key={one}
          className="report-tab"
          to={`/analytics${link({ ...AFRESH, type: one === 'overview' ? null : one })}`}
          aria-current={one === type ? 'page' : undefined}
        >
          {TITLES[one]}
        </Link>
      ))}
      <Link
        className="report-tab"
        to={journey ? `/analytics/assessments?journey=${journey}` : '/analytics/assessments'}
        aria-current={type === 'assessments' ? 'page' : undefined}
      >
        Before and after
      </Link>
    </nav>
  )
}

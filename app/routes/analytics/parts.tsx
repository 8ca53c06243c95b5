/** The tabs, filters and columns of the reports. */
import { Button } from '@radix-ui/themes'
import { Link } from '@remix-run/react'
import type { z } from 'zod'
import type {
  AnalyticsSearch,
  Figures,
  LiftFigures,
  Rate,
  UserFigures,
} from '#app/domain/analytics/figures.ts'
import { ANALYTICS_TYPES, percent } from '#app/domain/analytics/rate.ts'
import type { JourneyChoices } from '#app/domain/journeys/journey.ts'
import { Day } from '#app/ui/day.tsx'
import { Form } from '#app/ui/place-form.tsx'
import { useSearchLink } from '#app/ui/search.ts'
import type { Column } from '#app/ui/table.tsx'

const TITLES = { overview: 'Overview', by_user: 'By user', by_lift: 'By lift' } as const

export function Tabs({ type }: { type: AnalyticsSearch['type'] }) {
  const link = useSearchLink()
  return (
    <nav aria-label="Reports" className="report-tabs">
      {ANALYTICS_TYPES.map((one) => (
        <Link
          key={one}
          className="report-tab"
          to={link({ type: one === 'overview' ? null : one, page: null })}
          aria-current={one === type ? 'page' : undefined}
          prefetch="intent"
        >
          {TITLES[one]}
        </Link>
      ))}
    </nav>
  )
}

/** The filters of the address as a form; those it does not show are kept, and can be cleared. */
export function Filters({ search, journeys }: { search: AnalyticsSearch; journeys: JourneyChoices['data'] }) {
  const { type, journey, page: _page, q: _q, ...others } = search
  const kept = Object.entries(others).filter(([, value]) => value !== undefined)
  const launched = journeys.filter(({ id, status }) => status !== 'draft' || id === journey)
  return (
    <Form method="get" className="report-filters">
      {type === 'overview' ? null : <input type="hidden" name="type" value={type} />}
      <label>
        <span className="hidden-words">Journey</span>
        <select className="input input-select" name="journey" defaultValue={journey ?? ''} key={journey}>
          <option value="">All journeys</option>
          {launched.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Button type="submit" variant="soft" color="gray">
        Show
      </Button>
      {journey || kept.length > 0 ? (
        <Link to={type === 'overview' ? '?' : `?type=${type}`}>
          Clear all{kept.length > 0 ? ` (${kept.map(([name, value]) => `${name} ${value}`).join(', ')})` : ''}
        </Link>
      ) : null}
    </Form>
  )
}

export function RateCell({ rate }: { rate: Rate }) {
  return (
    <>
      {percent(rate)} <span className="report-quiet">{`${rate.n} of ${rate.d}`}</span>
    </>
  )
}

type Row = z.infer<typeof Figures>
const rates: readonly Column<Row>[] = [
  { key: 'coverage', label: 'Sent', align: 'end', render: (row) => <RateCell rate={row.coverage} /> },
  { key: 'open', label: 'Opened', align: 'end', render: (row) => <RateCell rate={row.open} /> },
  { key: 'response', label: 'Answered', align: 'end', render: (row) => <RateCell rate={row.response} /> },
  {
    key: 'completion',
    label: 'Completed',
    align: 'end',
    render: (row) => <RateCell rate={row.completion} />,
  },
]

type UserRow = z.infer<typeof UserFigures>
/** Of one journey, a name leads to what its learner answered; of all, to their lifts. */
export const userColumns = ({ user, journey }: AnalyticsSearch): readonly Column<UserRow>[] => [
  {
    key: 'name',
    label: 'Learner',
    render: ({ user_id, name }) =>
      user === user_id && !journey ? (
        name
      ) : (
        <Link
          to={journey ? `?type=by_user&journey=${journey}&user=${user_id}` : `?type=by_lift&user=${user_id}`}
        >
          {name}
        </Link>
      ),
  },
  ...(rates as readonly Column<UserRow>[]),
  {
    key: 'last_activity',
    label: 'Last activity',
    render: ({ last_activity }) => (last_activity ? <Day at={last_activity} /> : null),
  },
]

type LiftRow = z.infer<typeof LiftFigures>
export const liftColumns = ({ user }: AnalyticsSearch): readonly Column<LiftRow>[] => [
  {
    key: 'title',
    label: 'Lift',
    render: ({ lift_id, journey_id, title }) => (
      <Link to={`?type=by_lift&journey=${journey_id}&lift=${lift_id}`}>{title}</Link>
    ),
  },
  {
    key: 'journey',
    label: 'Journey',
    render: ({ journey_id, journey }) => (
      <Link to={user ? `?type=by_user&journey=${journey_id}&user=${user}` : `?journey=${journey_id}`}>
        {journey}
      </Link>
    ),
  },
  ...(rates as readonly Column<LiftRow>[]),
]

/** The tables of the reports. */

import type { z } from 'zod'
import type { FigureName } from '#app/domain/analytics/definitions.ts'
import type { Figures, LiftFigures, Rate, UserFigures } from '#app/domain/analytics/figures.ts'
import type { AnalyticsSearch } from '#app/domain/analytics/query.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Day } from '#app/ui/day.tsx'
import { Link } from '#app/ui/link.tsx'
import type { Column } from '#app/ui/list/table.tsx'
import { type Asked, explainHref } from './explain-href.ts'

type RateCellProps = { rate: Rate; href: string | null; name: string }

/** "9 of 14" links to the other five. */
function RateCell({ rate, href, name }: RateCellProps) {
  const counts = `${figures(rate.n)} of ${figures(rate.d)}`
  return (
    <>
      {percent(rate)}{' '}
      {href && rate.d > 0 ? (
        <Link className="report-count" to={href}>
          {counts}
          <span className="hidden-words"> {name}</span>
        </Link>
      ) : (
        <span className="report-quiet">{counts}</span>
      )}
    </>
  )
}

type Row = z.infer<typeof Figures>
const RATES: readonly { key: string; label: string; figure: FigureName }[] = [
  { key: 'sent', label: 'Sent', figure: 'coverage' },
  { key: 'opened', label: 'Opened', figure: 'open' },
  { key: 'answered', label: 'Answered', figure: 'response' },
  { key: 'completed', label: 'Completed', figure: 'completion' },
]

/** `behind`: the filters of the rows behind a figure of this row. */
const rateColumns = <R extends Row>(
  behind: (row: R) => Asked,
  nameOf: (row: R) => string,
): readonly Column<R>[] =>
  RATES.map(({ key, label, figure }) => ({
    ...{ key, label, align: 'end' as const, sortable: true },
    render: (row) => (
      <RateCell
        rate={row[figure]}
        href={explainHref(behind(row), figure, row[figure].n < row[figure].d ? 'no' : 'all')}
        name={`${label.toLowerCase()}: ${isolated(nameOf(row))}`}
      />
    ),
  }))

const keptIn = (asked: Asked, more: Record<string, string | number>): string => {
  const { from, to, as_of } = asked
  const given = Object.entries({ ...more, from, to, as_of }).filter(([, value]) => value !== undefined)
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

type UserRow = z.infer<typeof UserFigures>
export const userColumns = (search: AnalyticsSearch): readonly Column<UserRow>[] => [
  {
    key: 'name',
    label: 'Learner',
    sortable: true,
    render: ({ user_id, name }) => (
      <Link
        to={keptIn(search, {
          type: 'by_user',
          ...(search.journey ? { journey: search.journey } : {}),
          user: user_id,
        })}
      >
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  ...rateColumns<UserRow>(
    (row) => ({ ...search, user: row.user_id }),
    ({ name }) => name,
  ),
  {
    key: 'activity',
    label: 'Last activity',
    sortable: true,
    render: ({ last_activity }) => (last_activity ? <Day at={last_activity} /> : null),
  },
]

type LiftRow = z.infer<typeof LiftFigures>
export const liftColumns = (search: AnalyticsSearch): readonly Column<LiftRow>[] => [
  {
    key: 'name',
    label: 'Lift',
    sortable: true,
    render: ({ lift_id, journey_id, title }) => (
      <Link to={keptIn(search, { type: 'by_lift', journey: journey_id, lift: lift_id })}>
        <bdi>{title}</bdi>
      </Link>
    ),
  },
  ...(search.journey
    ? []
    : [
        {
          key: 'journey',
          label: 'Journey',
          render: ({ journey_id, journey }: LiftRow) => (
            <Link
              to={keptIn(search, {
                ...(search.user ? { type: 'by_user', user: search.user } : {}),
                journey: journey_id,
              })}
            >
              <bdi>{journey}</bdi>
            </Link>
          ),
        } satisfies Column<LiftRow>,
      ]),
  ...rateColumns<LiftRow>(
    (row) => ({ ...search, journey: row.journey_id, lift: row.lift_id }),
    ({ title }) => title,
  ),
]

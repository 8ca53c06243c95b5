import type { z } from 'zod'
import { getOverview } from '../../analytics/analytics.server.ts'
import { getByLift } from '../../analytics/by-lift.server.ts'
import { getByUser } from '../../analytics/by-user.server.ts'
import { DEFINITIONS, FIGURE_NAMES } from '../../analytics/definitions.ts'
import type { Counts, LiftFigures, Overview, UserFigures } from '../../analytics/figures.ts'
import type { AnalyticsQuery } from '../../analytics/query.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { COUNTS, figureColumns } from './figure-columns.ts'
import { AT_ONCE, share, type Table, tableOf, tableOfPages, time } from './table.ts'

type Line = { name: string; n: number; d: number | null }

export async function overviewTable(scope: Scope, query: AnalyticsQuery): Promise<Table> {
  const overview = await getOverview(scope, query)
  return tableOf<Line>(
    'Figures',
    [
      { head: 'Figure', cell: ({ name }) => name },
      { head: 'Counted', cell: ({ n }) => n },
      { head: 'Out of', cell: ({ d }) => d },
      { head: 'Share', as: 'share', cell: ({ n, d }) => (d === null ? null : share({ n, d })) },
    ],
    linesOf(overview),
  )
}

function linesOf(overview: Overview): Line[] {
  const { counts, learners, lifts, journeys } = overview
  const all = counts.assigned
  return [
    ...FIGURE_NAMES.map((figure) => ({ name: DEFINITIONS[figure].name, ...overview[figure] })),
    ...Object.entries(COUNTS).map(([name, words]) => ({
      name: name === 'assigned' ? words : `${words}, of all due`,
      n: counts[name as keyof Counts],
      d: name === 'assigned' ? null : all,
    })),
    { name: 'Learners', n: learners, d: null },
    { name: 'Lifts', n: lifts, d: null },
    { name: 'Journeys', n: journeys, d: null },
  ]
}

export const byUserTable = (scope: Scope, query: AnalyticsQuery): Promise<Table> =>
  tableOfPages<z.infer<typeof UserFigures>>(
    'By learner',
    [
      { head: 'Learner', cell: ({ name }) => name },
      { head: 'Learner number', cell: ({ user_id }) => user_id },
      ...figureColumns(),
      { head: 'Last activity (UTC)', as: 'time', cell: ({ last_activity }) => time(last_activity) },
    ],
    (page) => getByUser(scope, { ...query, page, per_page: AT_ONCE }, Number.POSITIVE_INFINITY),
  )

export const byLiftTable = (scope: Scope, query: AnalyticsQuery): Promise<Table> =>
  tableOfPages<z.infer<typeof LiftFigures>>(
    'By lift',
    [
      { head: 'Lift', cell: ({ title }) => title },
      { head: 'Lift number', cell: ({ lift_id }) => lift_id },
      { head: 'Journey', cell: ({ journey }) => journey },
      { head: 'Journey number', cell: ({ journey_id }) => journey_id },
      ...figureColumns(),
    ],
    (page) => getByLift(scope, { ...query, page, per_page: AT_ONCE }),
  )

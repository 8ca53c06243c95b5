/** The data of a report's charts, as tables. */
import { getFailures } from '../../analytics/pictures/failures.server.ts'
import { getGrid } from '../../analytics/pictures/grid.server.ts'
import { CELL_WORDS, type Failures, type Timing, type Trend } from '../../analytics/pictures/pictures.ts'
import { getTiming } from '../../analytics/pictures/timing.server.ts'
import { getTrend } from '../../analytics/pictures/trend.server.ts'
import type { AnalyticsQuery } from '../../analytics/query.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { figureColumns } from './figure-columns.ts'
import { share, type Table, tableOf } from './table.ts'

export async function trendTable(scope: Scope, query: AnalyticsQuery): Promise<Table> {
  const { weeks } = await getTrend(scope, query)
  return tableOf<Trend['weeks'][number]>(
    'Week by week',
    [{ head: 'Week of', cell: ({ week }) => week }, ...figureColumns()],
    weeks,
  )
}

export async function timingTable(scope: Scope, query: AnalyticsQuery): Promise<Table> {
  const { days, sent } = await getTiming(scope, query)
  return tableOf<Timing['days'][number]>(
    'Days until the answer',
    [
      { head: 'Days since the message', cell: ({ day }) => day },
      { head: 'Answers', cell: ({ answered }) => answered },
      { head: 'Sent and asking something', cell: () => sent },
      { head: 'Share of all sent', as: 'share', cell: ({ answered }) => share({ n: answered, d: sent }) },
    ],
    days,
  )
}

const OUTCOMES: Record<Failures['data'][number]['outcome'], string> = {
  unknown: 'Unconfirmed',
  suppressed: 'Held back',
  failed: 'Failed',
  expired: 'Too late',
}

export async function failuresTable(scope: Scope, query: AnalyticsQuery): Promise<Table> {
  const { data, assigned } = await getFailures(scope, query)
  return tableOf<Failures['data'][number]>(
    'Not through, by reason',
    [
      { head: 'Reason', cell: ({ reason }) => reason },
      { head: 'Code', cell: ({ code }) => code },
      { head: 'Outcome', cell: ({ outcome }) => OUTCOMES[outcome] },
      { head: 'Count', cell: ({ count }) => count },
      { head: 'Out of', cell: () => assigned },
      { head: 'Share of all due', as: 'share', cell: ({ count }) => share({ n: count, d: assigned }) },
    ],
    data,
  )
}

const LEARNERS_AT_ONCE = 200

/** A row for each learner, a column for each lift. */
export async function gridTable(scope: Scope, journey: number, query: AnalyticsQuery): Promise<Table> {
  const read = (page: number, lifts_page: number) =>
    getGrid(
      scope,
      journey,
      { ...query, page, lifts_page, per_page: LEARNERS_AT_ONCE },
      Number.POSITIVE_INFINITY,
    )
  const first = await read(1, 1)
  const pages = first.lifts_pagination.total_pages
  const across = async (page: number) =>
    Promise.all(
      Array.from({ length: pages }, (_, nth) => (page === 1 && nth === 0 ? first : read(page, nth + 1))),
    )
  const parts = await across(1)
  const lifts = parts.flatMap((part) => part.lifts)
  async function* things() {
    for (let page = 1, grids = parts; ; grids = await across(++page)) {
      for (const [row, { name, user_id }] of (grids[0]?.learners ?? []).entries()) {
        const cells = grids.flatMap(({ learners }) => learners[row]?.cells ?? [])
        yield [[name, user_id, ...cells.map((cell) => (cell ? CELL_WORDS[cell] : null))]]
      }
      if (page >= first.pagination.total_pages) return
    }
  }
  const heads = ['Learner', 'Learner number', ...lifts.map(({ title }, nth) => `${nth + 1}. ${title}`)]
  return {
    name: 'Learners by lifts',
    columns: heads.map((head) => ({ head })),
    total: first.pagination.total,
    things: things(),
  }
}

/** Reads a whole report. All of its figures have the same as-of moment. */
import type { ApiClient } from '#app/api/client.server.ts'
import * as calls from '#app/api/contract/analytics.ts'
import type { AnswerOf } from '#app/api/contract/call.ts'
import { getLearnerResponses, listLiftResponses } from '#app/api/contract/responses.ts'
import type { Overview } from '#app/domain/analytics/figures.ts'
import { MAX_GRID_LEARNERS } from '#app/domain/analytics/pictures/pictures.ts'
import type { AnalyticsFilters, AnalyticsSearch, ReportOrder } from '#app/domain/analytics/query.ts'

export async function readReport(api: ApiClient, search: AnalyticsSearch) {
  const filters = filtersOf(search)
  const [choices, overview] = await Promise.all([
    // First: it reads what all others ask for.
    api(calls.listFilterChoices, filters),
    api(calls.getOverview, filters),
  ])
  const parts = await readParts(api, search, { ...filters, as_of: overview.as_of }, overview)
  return { overview, choices, ...parts }
}

/** The filters in the URL, as a query of the API. */
export function filtersOf(search: Partial<AnalyticsSearch>): AnalyticsFilters {
  const { journey, user, lift, lift_id, prompt_id, lo_id, from, to, as_of } = search
  return { journey, user, lift, lift_id, prompt_id, lo_id, from, to, as_of }
}

/** The parts of reports; each report has some of them. */
type Parts = Partial<{
  drawn_since: string | null
  trend: AnswerOf<typeof calls.getTrend>
  timing: AnswerOf<typeof calls.getTiming> | null
  failures: AnswerOf<typeof calls.getFailures>
  grid: AnswerOf<typeof calls.getGrid>
  byUser: AnswerOf<typeof calls.listByUser>
  byLift: AnswerOf<typeof calls.listByLift>
  learner: AnswerOf<typeof getLearnerResponses>
  answers: AnswerOf<typeof listLiftResponses>
}>

/**
 * Limit for counting answers one by one, as of a past day or within lifts: more would take longer than anybody waits.
 */
const MAX_TIMED = 250_000
const isTimed = ({ user, prompt_id, lo_id, as_of }: AnalyticsSearch, asked: number): boolean =>
  asked <= MAX_TIMED || [user, prompt_id, lo_id, as_of].every((value) => value === undefined)

async function readParts(
  api: ApiClient,
  search: AnalyticsSearch,
  filters: AnalyticsFilters,
  overview: Overview,
): Promise<Parts> {
  if (overview.is_contradictory) return {}
  if (search.type === 'by_user') return readByUser(api, search, filters)
  if (search.type === 'by_lift') return readByLift(api, search, filters)
  const { journey, page, lifts_page } = search
  const drawn = { ...filters, from: search.from ?? drawnSince(search) }
  const [pictures, grid, byLift] = await Promise.all([
    api(calls.getPictures, { ...drawn, with_timing: isTimed(search, overview.counts.asked) }),
    journey
      ? api(calls.getGrid, { id: journey }, { ...filters, page, lifts_page, per_page: MAX_GRID_LEARNERS })
      : null,
    journey ? null : api(calls.listByLift, { ...filters, ...sortedBy(search), page }),
  ])
  return {
    drawn_since: drawn.from ?? null,
    ...pictures,
    ...(grid ? { grid } : {}),
    ...(byLift ? { byLift } : {}),
  }
}

const DRAWN_WEEKS = 26

/** For a whole company the charts show half a year; only the tiles include earlier years. */
function drawnSince({ journey, user, lift, lift_id, prompt_id, lo_id, as_of }: AnalyticsSearch) {
  if (journey ?? user ?? lift ?? lift_id ?? prompt_id ?? lo_id ?? as_of) return undefined
  return new Date(Date.now() - DRAWN_WEEKS * 7 * 86_400_000).toISOString().slice(0, 10)
}

async function readByUser(
  api: ApiClient,
  search: AnalyticsSearch,
  filters: AnalyticsFilters,
): Promise<Parts> {
  const { journey, user, lift, lift_id, prompt_id, lo_id, from, to, as_of, page, q } = search
  const narrowed = { lift_id: lift ?? lift_id, prompt_id, lo_id, from, to, as_of }
  const learnerIn = (id: number, userId: number) =>
    api(getLearnerResponses, { id, userId }, { ...narrowed, q, page })
  if (user && journey) return { learner: await learnerIn(journey, user) }
  if (!user) return { byUser: await api(calls.listByUser, { ...filters, ...sortedBy(search), q, page }) }
  const byLift = await api(calls.listByLift, { ...filters, ...sortedBy(search), page })
  const [only, ...others] = new Set(byLift.data.map((lift) => lift.journey_id))
  // For a learner in several journeys, lists the lifts of all, each with a link to its journey.
  return only && others.length === 0 && byLift.pagination.total_pages === 1
    ? { learner: await learnerIn(only, user) }
    : { byLift }
}

async function readByLift(
  api: ApiClient,
  search: AnalyticsSearch,
  filters: AnalyticsFilters,
): Promise<Parts> {
  const { lift, user, prompt_id, lo_id, from, to, as_of, page, q } = search
  if (!lift) return { byLift: await api(calls.listByLift, { ...filters, ...sortedBy(search), page }) }
  const [byLift, timing, answers] = await Promise.all([
    // Reads all questions, whichever one is selected.
    api(calls.listByLift, { ...filters, prompt_id: undefined }),
    api(calls.getTiming, filters),
    api(listLiftResponses, { id: lift }, { user, prompt_id, lo_id, from, to, as_of, q, page }),
  ])
  return { byLift, timing, answers }
}

function sortedBy({ order }: AnalyticsSearch): { order_by: ReportOrder; order: 'asc' | 'desc' } {
  const [order_by = 'name', direction = 'asc'] = order.split(':')
  return { order_by: order_by as ReportOrder, order: direction === 'desc' ? 'desc' : 'asc' }
}

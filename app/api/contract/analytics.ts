/** The reports, the data of their charts, and the rows behind each figure. All share the same filters. */
import { Explained, ExplainQuery } from '#app/domain/analytics/explained/explained.ts'
import { ByLift, ByUser, Overview } from '#app/domain/analytics/figures.ts'
import { FilterChoices } from '#app/domain/analytics/filter-choices.ts'
import {
  Failures,
  Grid,
  GridQuery,
  Pictures,
  PicturesQuery,
  Timing,
  Trend,
} from '#app/domain/analytics/pictures/pictures.ts'
import { AnalyticsFilters, AnalyticsQuery } from '#app/domain/analytics/query.ts'
import { callsAbout } from './call.ts'
import { oneId } from './parts.ts'

const { get } = callsAbout('Analytics')

export const getOverview = get('/analytics/overview', {
  does: 'Coverage, delivery, opens, answers and completion, each with n and d',
  remark:
    'A filter that names what is not there, or not for the caller, is answered 404; this holds for all reports.',
  may: 'view analytics',
  query: AnalyticsFilters,
  answers: Overview,
  dear: true,
  replica: 'recent',
})

export const listByUser = get('/analytics/by_user', {
  does: 'The same figures, a row per learner',
  may: 'view analytics',
  query: AnalyticsQuery,
  answers: ByUser,
  dear: true,
  replica: 'recent',
})

export const listByLift = get('/analytics/by_lift', {
  does: 'The same figures, a row per lift; with one lift, its questions too',
  may: 'view analytics',
  query: AnalyticsQuery,
  answers: ByLift,
  dear: true,
  replica: 'recent',
})

export const listFilterChoices = get('/analytics/filters', {
  does: 'The chosen filters by name, and what could be chosen beside them',
  may: 'view analytics',
  query: AnalyticsFilters,
  answers: FilterChoices,
})

export const explainFigure = get('/analytics/explain', {
  does: 'The learners and lifts behind a figure, those who do not count for it too, and what it leaves out',
  may: 'view analytics',
  query: ExplainQuery,
  answers: Explained,
  dear: true,
  replica: 'recent',
})

export const getTrend = get('/analytics/trend', {
  does: 'The same figures, a row for each week in which something was due',
  may: 'view analytics',
  query: AnalyticsFilters,
  answers: Trend,
  dear: true,
  replica: 'recent',
})

export const getTiming = get('/analytics/timing', {
  does: 'How many answers came how many days after their message',
  may: 'view analytics',
  query: AnalyticsFilters,
  answers: Timing,
  dear: true,
  replica: 'recent',
})

export const getFailures = get('/analytics/failures', {
  does: 'Why messages did not leave, or nobody knows whether they arrived',
  may: 'view analytics',
  query: AnalyticsFilters,
  answers: Failures,
  dear: true,
  replica: 'recent',
})

export const getPictures = get('/analytics/pictures', {
  does: 'The three before at once; `with_timing=false` leaves out how soon answers came',
  may: 'view analytics',
  query: PicturesQuery,
  answers: Pictures,
  dear: true,
  replica: 'recent',
})

export const getGrid = get('/lljs/{id}/grid', {
  does: 'Learners of a journey by its lifts, each with how far they are: 50 lifts and up to 200 learners a page',
  may: 'edit journey',
  ids: oneId,
  query: GridQuery,
  answers: Grid,
  dear: true,
  replica: 'recent',
})

/** The three reports; they share their filters. */
import { AnalyticsQuery, ByLift, ByUser, Overview } from '#app/domain/analytics/figures.ts'
import { callsAbout } from './call.ts'

const { get } = callsAbout('Analytics')

export const getOverview = get('/analytics/overview', {
  does: 'Coverage, delivery, opens, answers and completion, each with n and d',
  may: 'view analytics',
  query: AnalyticsQuery,
  answers: Overview,
})

export const listByUser = get('/analytics/by_user', {
  does: 'The same figures, a row per learner',
  may: 'view analytics',
  query: AnalyticsQuery,
  answers: ByUser,
})

export const listByLift = get('/analytics/by_lift', {
  does: 'The same figures, a row per lift; with one lift, its questions too',
  may: 'view analytics',
  query: AnalyticsQuery,
  answers: ByLift,
})

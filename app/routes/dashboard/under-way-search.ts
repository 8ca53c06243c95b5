import type { JourneyStatus } from '#app/domain/journeys/journey-status.ts'

/** Launched and not over. */
export const UNDER_WAY = ['active', 'paused', 'scheduled'] as const satisfies readonly JourneyStatus[]

/** The list of journeys in these states. */
export const listOf = (statuses: readonly JourneyStatus[]): string =>
  `/lljs/manage?${new URLSearchParams(statuses.map((status) => ['status', status]))}`

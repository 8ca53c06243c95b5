/** The states of a journey, and how it moves between them. */
export const JOURNEY_STATUSES = ['draft', 'scheduled', 'active', 'paused', 'completed', 'archived'] as const
export type JourneyStatus = (typeof JOURNEY_STATUSES)[number]

/** Where a journey may go from each state. */
const MOVES: Readonly<Record<JourneyStatus, readonly JourneyStatus[]>> = {
  draft: ['scheduled', 'active', 'archived'],
  scheduled: ['active', 'paused', 'completed', 'archived'],
  active: ['paused', 'completed'],
  paused: ['active', 'archived'],
  completed: ['archived'],
  archived: [],
}
export const mayMove = (from: JourneyStatus, to: JourneyStatus): boolean => MOVES[from].includes(to)

/** Messages of a journey in one of these states go out. */
export const isRunning = (status: JourneyStatus): boolean => status === 'scheduled' || status === 'active'
/** Launched and not over: an edit of it concerns messages that are planned. */
export const isUnderWay = (status: JourneyStatus): boolean => isRunning(status) || status === 'paused'
/** What is over is kept as it was. */
export const isClosed = (status: JourneyStatus): boolean => status === 'completed' || status === 'archived'

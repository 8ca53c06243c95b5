/** The states of a journey, and the transitions between them. */
export const JOURNEY_STATUSES = ['draft', 'scheduled', 'active', 'paused', 'completed', 'archived'] as const
export type JourneyStatus = (typeof JOURNEY_STATUSES)[number]

/** The allowed transitions from each state. */
const MOVES: Readonly<Record<JourneyStatus, readonly JourneyStatus[]>> = {
  draft: ['scheduled', 'active', 'archived'],
  scheduled: ['active', 'paused', 'completed', 'archived'],
  active: ['paused', 'completed'],
  paused: ['active', 'archived'],
  completed: ['archived'],
  archived: [],
}
export const mayMove = (from: JourneyStatus, to: JourneyStatus): boolean => MOVES[from].includes(to)

/** Whether the journey sends messages in this state. */
export const isRunning = (status: JourneyStatus): boolean => status === 'scheduled' || status === 'active'
/** Launched and not over: edits affect planned messages. */
export const isUnderWay = (status: JourneyStatus): boolean => isRunning(status) || status === 'paused'
/** Completed and archived journeys can no longer change. */
export const isClosed = (status: JourneyStatus): boolean => status === 'completed' || status === 'archived'

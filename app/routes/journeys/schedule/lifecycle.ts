/** The state changes of a launched journey, and the states in which each is possible. */
import type { JourneyStatus } from '#app/domain/journeys/journey-status.ts'

export const STEPS = ['pause', 'resume', 'complete', 'archive'] as const
export type Step = (typeof STEPS)[number]

export const OFFERED: Readonly<Record<JourneyStatus, readonly Step[]>> = {
  draft: ['archive'],
  scheduled: ['pause', 'complete', 'archive'],
  active: ['pause', 'complete'],
  paused: ['resume', 'archive'],
  completed: ['archive'],
  archived: [],
}
export const STEP_NAMES: Readonly<Record<Step, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  complete: 'Complete',
  archive: 'Archive',
}

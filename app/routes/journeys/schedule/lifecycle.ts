/** The steps of a journey after its launch, and which of them is open in which state. */
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

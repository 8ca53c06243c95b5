/** A member's turn with a lift (occurrence), and the messages about it (dispatches). */

export const OCCURRENCE_STATES = [
  'planned',
  'held',
  'due',
  'sent',
  'opened',
  'responded',
  'completed',
  'cancelled',
  'expired',
  'suppressed',
] as const
export type OccurrenceState = (typeof OCCURRENCE_STATES)[number]

/** A message that could not leave within this time waits for a person (outage, restored backup). */
export const MAX_LATENESS_HOURS = 6
export const MAX_ATTEMPTS = 6

const STEPS: readonly OccurrenceState[] = [
  'planned',
  'held',
  'due',
  'sent',
  'opened',
  'responded',
  'completed',
]

/** An occurrence only moves on: what was answered is not "sent" again by a late receipt. */
export const furthest = (now: OccurrenceState, next: OccurrenceState): OccurrenceState =>
  STEPS.indexOf(next) > STEPS.indexOf(now) ? next : now

/** Seconds until the next attempt: 30 s, 2 min, 8 min, ... up to 2 h, spread by up to a fifth. */
export function backoffSeconds(attempts: number, random = Math.random()): number {
  const base = Math.min(30 * 4 ** Math.max(0, attempts - 1), 7200)
  return Math.round(base * (1 + random / 5))
}

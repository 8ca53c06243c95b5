/** A member's occurrence with a lift (occurrence), and the messages about it (dispatches). */

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

const FIRST_LOOK_UP_MS = 30_000
const LONGEST_PAUSE_MS = 3_600_000

/** When the carrier is asked again what became of a message; null: not any more. The pauses double, up to an hour. */
export function nextLookUp(unknown_since: Date, now: Date): Date | null {
  const passed = now.getTime() - unknown_since.getTime()
  const rest = MAX_LATENESS_HOURS * 3_600_000 - passed
  if (rest <= 0) return null
  return new Date(now.getTime() + Math.min(rest, LONGEST_PAUSE_MS, Math.max(FIRST_LOOK_UP_MS, passed)))
}

/** A reminder ends with the first answer; the lift itself only when all is done. */
const ENDED = {
  reminder: ['responded', 'completed', 'cancelled', 'expired'],
  lift: ['completed', 'cancelled'],
}

/** Whether messages of this kind have no purpose any more in an occurrence of this state. */
export const hasEnded = (kind: string, state: string): boolean =>
  ENDED[kind === 'reminder' ? 'reminder' : 'lift'].includes(state)

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

/** One learner's turn of a lift (occurrence), and the messages about it (dispatches). */

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

/** A message delayed by more than this (outage, restored backup) waits for a person's decision. */
export const MAX_LATENESS_HOURS = 6
export const MAX_ATTEMPTS = 6

const FIRST_LOOK_UP_MS = 30_000
const LONGEST_PAUSE_MS = 3_600_000

/** When to ask the carrier about the message again; null to stop. The intervals double, up to an hour. */
export function nextLookUp(unknown_since: Date, now: Date): Date | null {
  const passed = now.getTime() - unknown_since.getTime()
  const rest = MAX_LATENESS_HOURS * 3_600_000 - passed
  if (rest <= 0) return null
  return new Date(now.getTime() + Math.min(rest, LONGEST_PAUSE_MS, Math.max(FIRST_LOOK_UP_MS, passed)))
}

/** A reminder is obsolete after the first answer, the lift's message only after completion. */
const ENDED = {
  reminder: ['responded', 'completed', 'cancelled', 'expired'],
  lift: ['completed', 'cancelled'],
}

/** Whether messages of this kind are obsolete in this state of the occurrence. */
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

/** An occurrence never goes back: a late receipt does not turn "answered" into "sent". */
export const furthest = (now: OccurrenceState, next: OccurrenceState): OccurrenceState =>
  STEPS.indexOf(next) > STEPS.indexOf(now) ? next : now

/** Seconds until the next attempt: 30 s, 2 min, 8 min, ... up to 2 h, spread by up to a fifth. */
export function backoffSeconds(attempts: number, random = Math.random()): number {
  const base = Math.min(30 * 4 ** Math.max(0, attempts - 1), 7200)
  return Math.round(base * (1 + random / 5))
}

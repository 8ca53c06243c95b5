/** The urgency of modules on the home page: 2 if something is late or failed, 1 if something waits, otherwise 0. */
import type { Today, Work } from '#app/domain/today/today.ts'

type Urgency = 0 | 1 | 2
const CLOSING_MS = 24 * 60 * 60 * 1000

const closesSoon =
  (now: number) =>
  ({ closes_at }: { closes_at: string | null }): boolean =>
    closes_at !== null && Date.parse(closes_at) - now < CLOSING_MS

export function learningUrgency({ todo, owed, commitments }: Today['learning'], now: number): Urgency {
  const isSoon = closesSoon(now)
  if (todo.some((item) => item.is_overdue || isSoon(item)) || owed.some(isSoon)) return 2
  if (commitments.some(({ is_late }) => is_late)) return 2
  return todo.length + owed.length > 0 ? 1 : 0
}

export function sponsoringUrgency({ brief, total }: Today['sponsoring']): Urgency {
  if (brief.some((item) => item.overdue > 0 || item.late_commitments > 0)) return 2
  return total > 0 ? 1 : 0
}

export function workUrgency({ weeks, behind, unanswered }: Work): Urgency {
  if (weeks.slice(-2).some(({ counts }) => counts.failed + counts.unknown > 0)) return 2
  return behind.people + unanswered.length > 0 ? 1 : 0
}

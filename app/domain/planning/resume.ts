/** What happens to a person's waiting occurrences when a paused journey resumes. Pure. */
import type { Pause } from './pauses.ts'
import type { PlanInput } from './plan-input.ts'
import { allowedAt, closesLater, dayOf, type Plan, postpone } from './planner.ts'
import { afterPause } from './wall-clock.ts'

/** `shift` moves everything by the length of the pause, keeping the gaps. `skip` leaves out what fell into it. */
export const RESUME_MODES = ['shift', 'skip'] as const
export type ResumeMode = (typeof RESUME_MODES)[number]

/** `planned_on`: when it got its current plan. */
export type WaitingOccurrence = {
  id: number
  due_at: Date
  closes_at: Date | null
  zone: string
  planned_on: Date
}

export type Resumed = { id: number; due_at: Date | null; closes_at: Date | null }

type Terms = Pick<PlanInput, 'journey' | 'member' | 'tenant_zone' | 'channel' | 'settings' | 'now'> & {
  mode: ResumeMode
  paused_at: Date
  taken: Iterable<string>
}

/** A `due_at` of null: the occurrence is skipped. */
export function resumeOccurrences(
  occurrences: readonly WaitingOccurrence[],
  { mode, paused_at, taken, ...terms }: Terms,
): Resumed[] {
  if (mode === 'skip')
    return occurrences.map((occurrence) => ({
      ...occurrence,
      due_at: occurrence.due_at <= terms.now ? null : occurrence.due_at,
    }))
  const days = new Set(taken)
  const given: PlanInput = { ...terms, rule: { kind: 'manual', at_launch: false }, closes_after_hours: null }
  return [...occurrences]
    .sort((one, other) => one.due_at.getTime() - other.due_at.getTime() || one.id - other.id)
    .map((occurrence) => {
      const moved = later(occurrence, { from: paused_at, to: terms.now }, given)
      const { due_at } = postpone(moved, given, (day) => days.has(day))
      if (due_at) days.add(dayOf(due_at, occurrence.zone))
      return { id: occurrence.id, due_at, closes_at: moved.closes_at }
    })
}

/** What was planned during the pause has waited only since then. */
function later(occurrence: WaitingOccurrence, pause: Pause, given: PlanInput): Plan {
  const { zone, planned_on, closes_at } = occurrence
  const { tenant_zone } = given
  const moved = afterPause(occurrence.due_at, pause, planned_on, { tenant_zone, zone })
  const due_at = allowedAt(moved, given)
  return {
    ...{ zone, due_at, send_at: due_at },
    planned_local: null,
    closes_at: closesLater(closes_at, occurrence.due_at, moved),
    shifted: [],
    expired: false,
  }
}

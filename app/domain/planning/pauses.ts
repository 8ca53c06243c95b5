/** The pauses of a journey that moved what was to come by their length. Pure. */
import type { ScheduleRule } from '../lifts/schedule-rule.ts'

export type Pause = { from: Date; to: Date }
/** When an author last named the day that a journey starts on, or the date of a lift. */
export type Stated = { start: Date | null; lifts: ReadonlyMap<number, Date> }
export type Pauses = { all: readonly Pause[]; stated: Stated }

export const NO_PAUSES: Pauses = { all: [], stated: { start: null, lifts: new Map() } }

/** A date that was named after a pause means that date; other rules count from the start of the journey. */
export const statedFor = (lift: { id: number; schedule: ScheduleRule }, { start, lifts }: Stated) =>
  (lift.schedule.kind === 'absolute' ? lifts.get(lift.id) : start) ?? null

/** How long a pause held back what is so since then. */
export const gapOf = ({ from, to }: Pause, since: Date | null): number =>
  Math.max(0, to.getTime() - Math.max(from.getTime(), since?.getTime() ?? 0))

/** Which dates an author considers to name anew. */
export type Restated = { start: boolean; lifts: ReadonlySet<number> }
export function restate(stated: Stated, restated: Restated | undefined, now: Date): Stated {
  if (!restated) return stated
  const lifts = new Map(stated.lifts)
  for (const id of restated.lifts) lifts.set(id, now)
  return { start: restated.start ? now : stated.start, lifts }
}

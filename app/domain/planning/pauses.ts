/** The pauses of a journey that shifted its remaining lifts by their length. Pure. */
import type { ScheduleRule } from '../lifts/schedule-rule.ts'

export type Pause = { from: Date; to: Date }
/** When an author last set the start date of a journey, or the date of a lift. */
export type Stated = { start: Date | null; lifts: ReadonlyMap<number, Date> }
export type Pauses = { all: readonly Pause[]; stated: Stated }

export const NO_PAUSES: Pauses = { all: [], stated: { start: null, lifts: new Map() } }

/** A date set after a pause is not shifted by it; other rules count from the start of the journey. */
export const statedFor = (lift: { id: number; schedule: ScheduleRule }, { start, lifts }: Stated) =>
  (lift.schedule.kind === 'absolute' ? lifts.get(lift.id) : start) ?? null

/** The dates that an author considers changing. */
export type Restated = { start: boolean; lifts: ReadonlySet<number> }
export function restate(stated: Stated, restated: Restated | undefined, now: Date): Stated {
  if (!restated) return stated
  const lifts = new Map(stated.lifts)
  for (const id of restated.lifts) lifts.set(id, now)
  return { start: restated.start ? now : stated.start, lifts }
}

/** Who answers while the clock moves, and when. Deterministic for a person and message. */
import type { Answering } from './clock.ts'

const HOUR = 3_600_000
/** The share of messages and forms that are answered; some more are only opened. */
const CHANCES: Record<Answering, number> = { none: 0, some: 0.3, most: 0.7 }
const ONLY_OPENED = 0.15
const MAX_HOURS = 20

export type Fate = { answers: boolean; opens: boolean; after_ms: number; dice: number }

export function fateOf(about: string, answering: Answering): Fate {
  const [decides, after, dice] = ['decides', 'after', 'dice'].map((word) => diceOf(`${about}:${word}`))
  const chance = CHANCES[answering]
  return {
    answers: (decides ?? 1) < chance,
    opens: (decides ?? 1) < chance + (chance > 0 ? ONLY_OPENED : 0),
    after_ms: (0.2 + (after ?? 0) * MAX_HOURS) * HOUR,
    dice: dice ?? 0,
  }
}

/** A uniform number from 0 to 1 (FNV-1a, mixed once more at the end). */
export function diceOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

/** What the product has acknowledged: all of it must be there at the end, once. */
import type { Learner } from './people.ts'

export type LaunchedJourney = {
  name: string
  journey: number
  lift: number
  prompt: number
  learners: readonly Learner[]
}

export class Ledger {
  /** E-mail addresses of people that were added; true where their invitation was asked for. */
  readonly users = new Map<string, boolean>()
  /** Names of journeys that were created, launched or not. */
  readonly journeys = new Set<string>()
  readonly launched: LaunchedJourney[] = []
  /** By lift: the answer that was acknowledged. */
  readonly answers = new Map<number, { prompt: number; value: string }>()
  /** Notifications that were acknowledged as read. */
  readonly read = new Set<number>()
}

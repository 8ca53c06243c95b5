/** Everything the product has acknowledged, which must exist once at the end. */
import type { Learner } from './people.ts'

export type LaunchedJourney = {
  name: string
  journey: number
  lift: number
  prompt: number
  learners: readonly Learner[]
}

export class Ledger {
  /** E-mail addresses of people who were added; true if their invitation was requested. */
  readonly users = new Map<string, boolean>()
  /** Names of journeys that were created, launched or not. */
  readonly journeys = new Set<string>()
  readonly launched: LaunchedJourney[] = []
  /** By lift: the acknowledged answer. */
  readonly answers = new Map<number, { prompt: number; value: string }>()
  /** Notifications that were acknowledged as read. */
  readonly read = new Set<number>()
}

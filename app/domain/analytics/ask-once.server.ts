/** What several figures of a page need to know is asked once in their transaction. */
import { maySeeAllJourneys } from '../access/journeys.ts'
import type { Scope } from '../scope.server.ts'

const answers = new WeakMap<Scope['db'], Map<string, Promise<unknown>>>()

/** For what only reads. A scope's `db` is of one person in one place, and lasts as long as the transaction. */
export function askOnce<Answer>(
  { actor, db }: Scope,
  question: readonly unknown[],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const known = answers.get(db) ?? new Map<string, Promise<unknown>>()
  answers.set(db, known)
  const key = JSON.stringify([maySeeAllJourneys(actor), ...question])
  const answer = (known.get(key) as Promise<Answer> | undefined) ?? ask()
  known.set(key, answer)
  return answer
}

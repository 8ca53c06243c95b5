/** What several parts of a page need to know is asked once in the transaction that they share. */

import type { Scope } from './scope.server.ts'
import { answersOf } from './scoped-transaction.server.ts'

/** What the answer depends on beside the scope: two of them are the same when their JSON is. */
export type Question = readonly unknown[]

/** Asked again in each transaction that writes: what it found before may be what it changed. */
export function askOnce<Answer>(
  { db }: Scope,
  question: Question,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const answers = answersOf(db)
  if (!answers) return ask()
  const key = JSON.stringify(question)
  const known = answers.get(key) as Promise<Answer> | undefined
  const answer = known ?? ask()
  answers.set(key, answer)
  return answer
}

/** What came with another answer. */
export function remember({ db }: Scope, question: Question, answer: unknown): void {
  answersOf(db)?.set(JSON.stringify(question), Promise.resolve(answer))
}

/** Caches answers that several parts of a page need, within their shared transaction. */

import type { Scope } from './scope.server.ts'
import { answersOf } from './scoped-transaction.server.ts'

/** What the answer depends on besides the scope; compared as JSON. */
export type Question = readonly unknown[]

/** Never cached in a transaction that writes, which may have changed the answer. */
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

/** Stores an answer that was read together with another. */
export function remember({ db }: Scope, question: Question, answer: unknown): void {
  answersOf(db)?.set(JSON.stringify(question), Promise.resolve(answer))
}

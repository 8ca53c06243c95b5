/** What several figures of a page need to know is asked once in their transaction. */
import { maySeeAllJourneys } from '../access/journeys.ts'
import type { Scope } from '../scope.server.ts'

const answers = new WeakMap<Scope['db'], Map<string, Promise<unknown>>>()

type Question = readonly unknown[]

/** For what only reads. A scope's `db` is of one person in one place, and lasts as long as the transaction. */
export function askOnce<Answer>(
  scope: Scope,
  question: Question,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const answer = known<Answer>(scope, question) ?? ask()
  remember(scope, question, answer)
  return answer
}

export const known = <Answer>({ actor, db }: Scope, question: Question): Promise<Answer> | undefined =>
  answers.get(db)?.get(keyOf(actor, question)) as Promise<Answer> | undefined

export function remember({ actor, db }: Scope, question: Question, answer: Promise<unknown>): void {
  const before = answers.get(db) ?? new Map<string, Promise<unknown>>()
  answers.set(db, before.set(keyOf(actor, question), answer))
}

const keyOf = (actor: Scope['actor'], question: Question) =>
  JSON.stringify([maySeeAllJourneys(actor), ...question])

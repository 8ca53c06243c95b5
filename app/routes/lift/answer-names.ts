/** What the fields of an answer are called: `answer:{prompt}:{kind}`, some kinds with several fields. */
import type { PromptKind } from '#app/domain/lifts/prompt.ts'

export const answerName = (prompt: { id: number; kind: PromptKind }, part = ''): string =>
  `answer:${prompt.id}:${prompt.kind}${part && `:${part}`}`

/** What was typed, kept for the page that says what is wrong with it. */
export type TypedAnswers = Record<string, string[]>

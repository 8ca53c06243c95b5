/** The names of answer fields: `answer:{prompt}:{kind}`; some kinds have several fields. */
import type { PromptKind } from '#app/domain/lifts/prompt.ts'
import type { KeptWord } from '#app/ui/form/kept-words.tsx'

export const answerName = (prompt: { id: number; kind: PromptKind }, part = ''): string =>
  `answer:${prompt.id}:${prompt.kind}${part && `:${part}`}`

/** The question of a field. */
export const promptOf = (name: string): number => Number(name.split(':')[1])

/** The input, kept for the page with its errors. */
export type TypedAnswers = Record<string, string[]>

export function typedAnswers(formData: FormData): TypedAnswers {
  const typed: TypedAnswers = {}
  for (const [name, value] of formData)
    if (name.startsWith('answer:') && typeof value === 'string') typed[name] = [...(typed[name] ?? []), value]
  return typed
}

/** Typed words (not choices), except those of questions that still show them in their fields. */
export const wordsOf = (typed: TypedAnswers, shown: readonly { id: number }[] = []): KeptWord[] =>
  Object.entries(typed)
    .filter(([name]) => /:(short_text|long_text|commitment)$/.test(name))
    .filter(([name]) => !shown.some(({ id }) => id === promptOf(name)))
    .flatMap(([, words]) => words.flatMap((text) => (text.trim() === '' ? [] : [{ text }])))

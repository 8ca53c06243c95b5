/** What the fields of an answer are called: `answer:{prompt}:{kind}`, some kinds with several fields. */
import type { PromptKind } from '#app/domain/lifts/prompt.ts'
import type { KeptWord } from '#app/ui/form/kept-words.tsx'

export const answerName = (prompt: { id: number; kind: PromptKind }, part = ''): string =>
  `answer:${prompt.id}:${prompt.kind}${part && `:${part}`}`

/** The question to which a field belongs. */
export const promptOf = (name: string): number => Number(name.split(':')[1])

/** What was typed, kept for the page that says what is wrong with it. */
export type TypedAnswers = Record<string, string[]>

export function typedAnswers(formData: FormData): TypedAnswers {
  const typed: TypedAnswers = {}
  for (const [name, value] of formData)
    if (name.startsWith('answer:') && typeof value === 'string') typed[name] = [...(typed[name] ?? []), value]
  return typed
}

/** What was written, not what was only chosen, save to questions that still show it in their fields. */
export const wordsOf = (typed: TypedAnswers, shown: readonly { id: number }[] = []): KeptWord[] =>
  Object.entries(typed)
    .filter(([name]) => /:(short_text|long_text|commitment)$/.test(name))
    .filter(([name]) => !shown.some(({ id }) => id === promptOf(name)))
    .flatMap(([, words]) => words.flatMap((text) => (text.trim() === '' ? [] : [{ text }])))

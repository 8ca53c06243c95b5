/** Converts answers from a plain form into input of the API. */
import { PROMPT_KINDS, type PromptKind } from '#app/domain/lifts/prompt.ts'
import { answerName, type TypedAnswers, typedAnswers } from './answer-names.ts'

export type Answer = { prompt_id: number; value: unknown }

/** The given answers; unanswered questions are left out. */
export function readAnswers(formData: FormData): Answer[] {
  const typed = typedAnswers(formData)
  const prompts = new Map<number, PromptKind>()
  for (const name of Object.keys(typed)) {
    const [, id, kind] = name.split(':')
    const known = PROMPT_KINDS.find((one) => one === kind)
    if (known && Number.isSafeInteger(Number(id))) prompts.set(Number(id), known)
  }
  return [...prompts].flatMap(([id, kind]) => {
    const value = readOne({ id, kind }, typed)
    return value === undefined ? [] : [{ prompt_id: id, value }]
  })
}

/** Required questions without an answer: a browser cannot require one of several boxes. */
export const unanswered = (formData: FormData, answers: readonly Answer[]): number[] =>
  formData
    .getAll('asked')
    .map(Number)
    .filter((id) => !answers.some((answer) => answer.prompt_id === id))

function readOne(prompt: { id: number; kind: PromptKind }, typed: TypedAnswers): unknown {
  const all = (typed[answerName(prompt)] ?? []).filter((value) => value.trim() !== '')
  const [first] = all
  switch (prompt.kind) {
    case 'multiple_choice':
      return all.length > 0 ? all : undefined
    case 'ranking':
      return readRanking(prompt, typed)
    case 'commitment': {
      const by = typed[answerName(prompt, 'by')]?.[0]
      return first === undefined && !by ? undefined : { what: first ?? '', by: by || null }
    }
    case 'true_false':
      return first === undefined ? undefined : first === 'true'
    case 'scale':
    case 'confidence':
    case 'number':
      return first === undefined ? undefined : Number(first)
    default:
      return first
  }
}

/** Reads a ranking: a place for each option, chosen in selects; place 1 comes first. */
function readRanking(prompt: { id: number; kind: PromptKind }, typed: TypedAnswers): string[] | undefined {
  const prefix = answerName(prompt, 'place-')
  const places = Object.entries(typed)
    .filter(([name, [place]]) => name.startsWith(prefix) && place)
    .map(([name, [place]]) => ({ id: name.slice(prefix.length), place: Number(place) }))
  if (places.length === 0) return undefined
  // Two options with the same place are no ranking: the API explains what is one.
  const isClear = new Set(places.map(({ place }) => place)).size === places.length
  return isClear ? places.sort((a, b) => a.place - b.place).map(({ id }) => id) : []
}

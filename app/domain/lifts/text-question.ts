/** The question of a lift that can be answered by replying to its text: which one, how it is asked, what a reply means. */
import { countSegments, MAX_SEGMENTS } from '../journeys/segments.ts'
import type { LiftContent } from './lift.ts'
import { offeredOptions, type Prompt, type PromptKind } from './prompt.ts'

export type TextQuestion = Pick<Prompt, 'id' | 'kind' | 'text' | 'options' | 'visibility'>

const BY_TEXT: readonly PromptKind[] = [
  ...(['single_choice', 'multiple_choice', 'true_false', 'scale', 'confidence'] as const),
  ...(['number', 'short_text', 'long_text'] as const),
]

/** The only question of the lift, where answering it is all there is to do and a text can ask it whole. */
export function textQuestion({
  prompts,
  completion_rule,
}: Pick<LiftContent, 'prompts' | 'completion_rule'>): TextQuestion | null {
  const [only, another] = prompts
  if (!only || another || !only.required || completion_rule !== 'all_required_prompts') return null
  if (!BY_TEXT.includes(only.kind) || !areLettersClear(only)) return null
  return countSegments(askInText(only)).segments <= MAX_SEGMENTS ? only : null
}

/** Stands in the text itself, with who will read the answer. */
export const askInText = (question: TextQuestion): string =>
  `${question.text} ${howToReply(question)} ${WHO_READS[question.visibility]}`

/** In letters that every text can hold. */
export const WHO_READS: Record<TextQuestion['visibility'], string> = {
  learner_only: 'Only you can read your answer.',
  aggregate_only: 'Your answer is only counted, together with those of at least four others.',
  admins: "This journey's author and your administrators can read your answer.",
  sponsor: "Your sponsor, this journey's author and your administrators can read your answer.",
}

export function howToReply({ kind, options }: Pick<TextQuestion, 'kind' | 'options'>): string {
  const choices = offeredOptions({ options })
    .map(({ text }, index) => `${letterOf(index)} for ${text}`)
    .join(', ')
  switch (kind) {
    case 'single_choice':
      return `Reply ${choices}.`
    case 'multiple_choice':
      return `Reply ${choices}; several with commas.`
    case 'true_false':
      return 'Reply TRUE or FALSE.'
    case 'scale':
      return 'Reply with a number from 1 to 5.'
    case 'confidence':
      return 'Reply with a number from 0 to 10.'
    case 'number':
      return 'Reply with a number.'
    default:
      return 'Reply with your answer.'
  }
}

/** The answer that a reply gives; undefined for one that gives none, or could mean two. */
export function readReply({ kind, options }: Pick<TextQuestion, 'kind' | 'options'>, reply: string): unknown {
  const word = plain(reply)
  switch (kind) {
    case 'single_choice':
      return optionOf(offeredOptions({ options }), word)
    case 'multiple_choice':
      return optionsOf(offeredOptions({ options }), reply)
    case 'true_false':
      return TRUTHS.get(word)
    case 'scale':
      return within(word, 1, 5)
    case 'confidence':
      return within(word, 0, 10)
    case 'number':
      return numberOf(reply)
    default:
      return wordsOf(reply, kind === 'long_text' ? 1600 : 300)
  }
}

const TRUTHS = new Map<string, boolean>([
  ['true', true],
  ['t', true],
  ['false', false],
  ['f', false],
])

type Option = { id: string; text: string }

const letterOf = (index: number): string => String.fromCharCode(65 + index)

/** Without case, spaces too many, and signs around it; with those that make it a face, or another number. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[^\p{L}\p{N}:;=<>~+-]+|[^\p{L}\p{N}]+$/gu, '')

/** By its letter, its number or its words; where these disagree, by none. */
function optionOf(options: readonly Option[], word: string): string | undefined {
  const meant = options.filter(({ text }, index) =>
    [letterOf(index).toLowerCase(), String(index + 1), plain(text)].includes(word),
  )
  return word !== '' && meant.length === 1 ? meant[0]?.id : undefined
}

function optionsOf(options: readonly Option[], reply: string): string[] | undefined {
  const whole = optionOf(options, plain(reply))
  const parts = whole ? [whole] : reply.split(/[,;\s]+|\band\b/i).filter((part) => plain(part) !== '')
  const meant = whole ? parts : parts.map((part) => optionOf(options, plain(part)))
  const chosen = [...new Set(meant)]
  return chosen.length > 0 && chosen.every((one) => one !== undefined) ? chosen : undefined
}

/** The letters that the text names mean what it says. */
const areLettersClear = ({ options }: Pick<TextQuestion, 'options'>): boolean =>
  offeredOptions({ options }).every(
    ({ id }, index, offered) => optionOf(offered, letterOf(index).toLowerCase()) === id,
  )

const within = (word: string, from: number, to: number): number | undefined => {
  const number = /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN
  return number >= from && number <= to ? number : undefined
}

/** A comma means one thing here and another there. */
const numberOf = (reply: string): number | undefined => {
  const [number] = /^[+-]?\d{1,12}(\.\d{1,6})?$/.exec(reply.trim().replace(/\.$/, '')) ?? []
  return number === undefined ? undefined : Number(number)
}

function wordsOf(reply: string, most: number): string | undefined {
  const words = reply.trim()
  return words === '' || words.length > most ? undefined : words
}

/** A question that can be answered by replying to the lift's text: which one, how it is asked, what a reply means. */
import { countSegments, MAX_SEGMENTS } from '../journeys/segments.ts'
import type { LiftContent } from './lift.ts'
import { offeredOptions, type Prompt, type PromptKind } from './prompt.ts'

export type TextQuestion = Pick<Prompt, 'id' | 'kind' | 'text' | 'options' | 'visibility'>

const BY_TEXT: readonly PromptKind[] = [
  ...(['single_choice', 'multiple_choice', 'true_false', 'scale', 'confidence'] as const),
  ...(['number', 'short_text', 'long_text'] as const),
]

/** The lift's question, if it is the only one, completes the lift, and fits into a text message. */
export function textQuestion({
  prompts,
  completion_rule,
}: Pick<LiftContent, 'prompts' | 'completion_rule'>): TextQuestion | null {
  const [only, another] = prompts
  if (!only || another || !only.required || completion_rule !== 'all_required_prompts') return null
  if (!BY_TEXT.includes(only.kind) || !areLettersClear(only)) return null
  return countSegments(askInText(only)).segments <= MAX_SEGMENTS ? only : null
}

/** The question in the text message, with who will read the answer. */
export const askInText = (question: TextQuestion): string =>
  `${question.text} ${howToReply(question)} ${WHO_READS[question.visibility]}`

/** Only with GSM-7 characters, which every text can contain. */
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

/** The answer in a reply; undefined if there is none, or it is ambiguous. */
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

/**
 * Normalizes a reply: lower case, single spaces, no punctuation around it; characters that form an emoticon or change
 * a number stay.
 */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[^\p{L}\p{N}:;=<>~+-]+|[^\p{L}\p{N}]+$/gu, '')

/** Finds an option by letter, number or words; none if these contradict each other. */
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

/** Whether no option's words could be mistaken for the letter of another. */
const areLettersClear = ({ options }: Pick<TextQuestion, 'options'>): boolean =>
  offeredOptions({ options }).every(
    ({ id }, index, offered) => optionOf(offered, letterOf(index).toLowerCase()) === id,
  )

const within = (word: string, from: number, to: number): number | undefined => {
  const number = /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN
  return number >= from && number <= to ? number : undefined
}

/** Commas are not accepted: they are decimal or thousands separators depending on the country. */
const numberOf = (reply: string): number | undefined => {
  const [number] = /^[+-]?\d{1,12}(\.\d{1,6})?$/.exec(reply.trim().replace(/\.$/, '')) ?? []
  return number === undefined ? undefined : Number(number)
}

function wordsOf(reply: string, most: number): string | undefined {
  const words = reply.trim()
  return words === '' || words.length > most ? undefined : words
}

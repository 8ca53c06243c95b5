/** Simulated answers: a valid one to each kind of question. */
import type { AnswerValue } from '../assessments/answer.ts'
import type { AssessmentItem, Phase } from '../assessments/assessment.ts'
import { offeredOptions, type Prompt } from '../lifts/prompt.ts'
import type { TextQuestion } from '../lifts/text-question.ts'

const WORDS = [
  'I asked before I answered, and the talk was shorter.',
  'More time with the planner would help.',
  'Calling early changed the tone of the whole day.',
  'I am still trying.',
]
/** The share of right choices. */
const RIGHT = 0.65
/** The share of text replies that do not answer the question. */
const ASTRAY = 0.1

type Asked = Pick<Prompt, 'kind' | 'options'>

/** `day`: the day of a commitment. */
export function answerOf({ kind, options }: Asked, dice: number, day: string): unknown {
  const offered = offeredOptions({ options })
  const ids = offered.map(({ id }) => id)
  switch (kind) {
    case 'single_choice':
      return choiceOf(offered, dice)
    case 'multiple_choice':
      return [choiceOf(offered, dice)]
    case 'ranking':
      return [...ids.slice(place(dice, ids.length)), ...ids.slice(0, place(dice, ids.length))]
    case 'true_false':
      return dice < RIGHT
    case 'scale':
      return 1 + place(dice, 5)
    case 'confidence':
      return place(dice, 11)
    case 'number':
      return place(dice, 100)
    case 'short_text':
    case 'long_text':
      return wordsOf(dice)
    case 'commitment':
      return { what: 'ask each of my team one open question', by: day }
  }
}

export function replyOf(question: TextQuestion, dice: number): string {
  if ((dice * 10) % 1 < ASTRAY) return 'Sure, will do!'
  const answer = answerOf(question, dice, '')
  switch (question.kind) {
    case 'single_choice':
    case 'multiple_choice': {
      const chosen = offeredOptions(question).findIndex(({ id }) => [answer].flat().includes(id))
      return String.fromCharCode(65 + Math.max(0, chosen))
    }
    case 'true_false':
      return answer ? 'TRUE' : 'FALSE'
    default:
      return String(answer)
  }
}

export function formAnswerOf(item: AssessmentItem, phase: Phase, dice: number): AnswerValue {
  const level = phase === 'pre' ? dice * 0.6 : 0.4 + dice * 0.6
  switch (item.kind) {
    case 'scale':
      return 1 + place(level, item.anchors.length)
    case 'choice':
      return item.options[place(level, item.options.length)]?.id ?? null
    case 'text':
      return dice < 0.4 ? wordsOf(dice * 2.5) : null
  }
}

const place = (dice: number, of: number): number => Math.min(of - 1, Math.floor(dice * of))
const wordsOf = (dice: number): string => WORDS[place(dice, WORDS.length)] ?? ''

function choiceOf(options: readonly Prompt['options'][number][], dice: number): string | undefined {
  const right = options.find(({ correct }) => correct)
  if (right && dice < RIGHT) return right.id
  return options[place((dice - RIGHT) / (1 - RIGHT), options.length)]?.id ?? options[0]?.id
}

/** The answers that a prompt accepts, and their scores. */
import { z } from 'zod'
import { figures } from '../text/figures.ts'
import { REQUIRED, STORABLE } from '../text/text.ts'
import {
  isHit,
  offeredOptions,
  type Prompt,
  type PromptKind,
  type PromptOption,
  type Target,
} from './prompt.ts'

const text = (max: number, missing = REQUIRED) =>
  z
    .string()
    .trim()
    .min(1, missing)
    .max(max, `Please use at most ${figures(max)} characters`)
    .regex(...STORABLE)
/** Drops a leading “I will”, which the question says already. */
const withoutLead = (what: unknown): unknown =>
  typeof what === 'string' ? what.replace(/^\s*i(?: will|['’]ll)\s+(?=\S)/i, '') : what
const UNCHOSEN = 'Please choose an answer'
const choiceFrom = (least: number, most: number) =>
  z.number(UNCHOSEN).int(UNCHOSEN).min(least, UNCHOSEN).max(most, UNCHOSEN)
const TOO_FAR = 'Please enter a number of at most 12 digits'

/** The schema of a valid answer, with the scale and the options of the question. */
export function answerTo(prompt: {
  kind: PromptKind
  options: readonly Pick<PromptOption, 'id' | 'retired'>[]
}): z.ZodType {
  const ids = offeredOptions(prompt).map((one) => one.id)
  const option = z.string({ error: UNCHOSEN }).refine((id) => ids.includes(id), UNCHOSEN)
  const isOnce = (list: string[]) => new Set(list).size === list.length
  switch (prompt.kind) {
    case 'single_choice':
      return option
    case 'multiple_choice':
      return z.array(option).min(1, UNCHOSEN).max(20).refine(isOnce, 'Please choose each once')
    case 'ranking':
      return z
        .array(option)
        .length(ids.length, 'Please give each option its own place')
        .refine(isOnce, 'Please rank each once')
    case 'true_false':
      return z.boolean({ error: UNCHOSEN })
    case 'scale':
      return choiceFrom(1, 5)
    case 'confidence':
      return choiceFrom(0, 10)
    case 'number':
      return z.number('Please enter a number').min(-1e12, TOO_FAR).max(1e12, TOO_FAR)
    case 'short_text':
      return text(300)
    case 'long_text':
      return text(5000)
    case 'commitment':
      return z.strictObject({
        what: z.preprocess(withoutLead, text(500, 'Please say what you will do')),
        by: z.iso.date('Please choose a date'),
      })
  }
}

/** 0 to 1 if the question is scored automatically, otherwise null. */
export function scoreOf(
  prompt: Pick<Prompt, 'kind' | 'options' | 'scoring'> & { target?: Target | null },
  value: unknown,
): number | null {
  if (prompt.scoring !== 'auto') return null
  if (prompt.target) return isHit(prompt.target, value) ? 1 : 0
  const correct = prompt.options.filter((one) => one.correct).map((one) => one.id)
  const chosen = Array.isArray(value) ? value : [value]
  if (prompt.kind === 'single_choice') return correct.includes(String(value)) ? 1 : 0
  if (prompt.kind !== 'multiple_choice' || correct.length === 0) return null
  const right = chosen.filter((id) => correct.includes(id)).length
  return Math.max(0, (right - (chosen.length - right)) / correct.length)
}

/** Valid answers to items, and the scores that they add up to. */
import { z } from 'zod'
import { figures } from '../text/figures.ts'
import { STORABLE } from '../text/text.ts'
import type { AssessmentItem } from './assessment.ts'

const MAX_WORDS = 2000

/** A step of a scale, the id of an option, or words; null withdraws an answer. */
export const AnswerValue = z.union([z.number(), z.string().max(MAX_WORDS + 100), z.null()])
export type AnswerValue = z.infer<typeof AnswerValue>
export type Answers = Readonly<Record<string, AnswerValue>>
export const StoredAnswers = z.record(z.string(), AnswerValue)

type Asked = Pick<AssessmentItem, 'kind' | 'anchors' | 'options'>

export function answerTo({ kind, anchors, options }: Asked): z.ZodType<AnswerValue> {
  switch (kind) {
    case 'scale':
      return z
        .number('Please choose a step')
        .int('Please choose a step')
        .min(1)
        .max(anchors.length)
        .nullable()
    case 'choice': {
      const ids = options.map((option) => option.id)
      return z
        .string('Please choose an answer')
        .refine((id) => ids.includes(id), 'Please choose an answer')
        .nullable()
    }
    case 'text':
      return z
        .string('Please write some words')
        .trim()
        .max(MAX_WORDS, `Please use at most ${figures(MAX_WORDS)} characters`)
        .regex(...STORABLE)
        .transform((words) => (words === '' ? null : words))
        .nullable()
  }
}

/** An answer as a level from 0 (lowest) to 1 (highest); null where nothing is measured. */
export function levelOf(item: Asked, value: AnswerValue | undefined): number | null {
  if (item.kind === 'scale' && typeof value === 'number' && value <= item.anchors.length)
    return (value - 1) / (item.anchors.length - 1)
  if (item.kind !== 'choice' || typeof value !== 'string') return null
  const range = rangeOf(item)
  const points = item.options.find((option) => option.id === value)?.points
  return range && points !== null && points !== undefined
    ? (points - range.min) / (range.max - range.min)
    : null
}

function rangeOf({ options }: Asked): { min: number; max: number } | null {
  const points = options.flatMap((option) => option.points ?? [])
  const [min, max] = [Math.min(...points), Math.max(...points)]
  return points.length > 0 && max > min ? { min, max } : null
}

const isMeasured = (item: Asked): boolean =>
  item.kind === 'scale' || (item.kind === 'choice' && rangeOf(item) !== null)

/** The weighted mean over the answered items; null if less than half of the weight was answered. */
export const scoreOf = (items: readonly AssessmentItem[], answers: Answers): number | null =>
  scoreOfLevels(items, (item) => levelOf(item, answers[item.id]))

/** The same for known levels; null for an item without one. */
export function scoreOfLevels(
  items: readonly AssessmentItem[],
  levelAt: (item: AssessmentItem) => number | null,
): number | null {
  let [all, answered, sum] = [0, 0, 0]
  for (const item of items) {
    if (!isMeasured(item)) continue
    all += item.weight
    const level = levelAt(item)
    if (level === null) continue
    answered += item.weight
    sum += item.weight * level
  }
  return answered === 0 || answered < all / 2 ? null : sum / answered
}

/** Questions and answers as interactions of SCORM and xAPI. */
import type { Prompt, PromptKind } from '../lifts/prompt.ts'
import { type Activity, inAnyLanguage, TYPES } from './statement.ts'

const INTERACTIONS: Record<PromptKind, string> = {
  single_choice: 'choice',
  multiple_choice: 'choice',
  true_false: 'true-false',
  scale: 'likert',
  confidence: 'likert',
  short_text: 'fill-in',
  long_text: 'long-fill-in',
  commitment: 'long-fill-in',
  number: 'numeric',
  ranking: 'sequencing',
}

type Asked = Pick<Prompt, 'kind' | 'text' | 'options' | 'target'>

export function questionOf({ kind, text, options, target }: Asked): Activity['definition'] {
  const choices = options.map((option) => ({ id: option.id, description: inAnyLanguage(option.text) }))
  const right = rightAnswer({ kind, options, target })
  return {
    type: TYPES.question,
    description: inAnyLanguage(text),
    interactionType: INTERACTIONS[kind],
    ...(choices.length > 0 ? { choices } : {}),
    ...(kind === 'scale' ? { scale: steps(1, 5) } : {}),
    ...(kind === 'confidence' ? { scale: steps(0, 10) } : {}),
    ...(right === null ? {} : { correctResponsesPattern: [right] }),
  }
}

const steps = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, nth) => String(from + nth)).map((id) => ({
    id,
    description: inAnyLanguage(id),
  }))

function rightAnswer({ kind, options, target }: Omit<Asked, 'text'>): string | null {
  if (kind === 'number' && target && typeof target.value === 'number') {
    const { value, tolerance } = target
    return tolerance === 0 ? String(value) : `${value - tolerance}[:]${value + tolerance}`
  }
  if (kind === 'true_false') return target ? String(target.value) : null
  const right = options.filter(({ correct }) => correct).map(({ id }) => id)
  return INTERACTIONS[kind] === 'choice' && right.length > 0 ? right.join('[,]') : null
}

export function responseOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('[,]')
  if (typeof value === 'object' && value !== null && 'what' in value) {
    const { what, by } = value as { what: string; by?: string | null }
    return by ? `${what} (${by})` : what
  }
  return String(value)
}

import { figures } from '#app/domain/text/figures.ts'
import { dayInWords } from '../text/date-format.ts'
import type { PromptKind } from './prompt.ts'

type Asked = { kind: PromptKind; options: readonly { id: string; text: string }[] }

export function answerInWords({ kind, options }: Asked, value: unknown): string {
  if (kind === 'true_false') return value ? 'True' : 'False'
  if (kind === 'number' && typeof value === 'number') return figures(value, { maximumFractionDigits: 10 })
  if (kind === 'scale') return `${value} of 5`
  if (kind === 'confidence') return `${value} of 10`
  if (typeof value === 'object' && value !== null && 'what' in value) {
    const { what, by } = value as { what: string; by?: string | null }
    return `I will ${what}${by ? ` by ${dayInWords(by)}` : ''}`
  }
  const words = [value].flat().map((one) => options.find(({ id }) => id === one)?.text ?? String(one))
  return kind === 'ranking'
    ? words.map((word, index) => `${index + 1}. ${word}`).join(', ')
    : words.join(', ')
}

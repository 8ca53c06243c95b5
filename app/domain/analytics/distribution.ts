/** The distribution of the answers to one question. */
import type { Prompt, PromptKind } from '../lifts/prompt.ts'
import type { PromptFigures } from './figures.ts'

export type Tally = { value: unknown; count: number }
type Distribution = Pick<PromptFigures, 'counted' | 'options' | 'mean'>

export function distributionOf(
  prompt: Pick<Prompt, 'kind' | 'options' | 'target'>,
  tallies: readonly Tally[],
) {
  const counted = sumOf(tallies, () => 1)
  const options = stepsOf(prompt).map(({ id, text, correct }) => {
    const chosen = tallies.filter(({ value }) => counts(prompt.kind, value, id))
    return {
      ...{ id, text, correct },
      count: sumOf(chosen, () => 1),
      mean_rank:
        prompt.kind === 'ranking' && counted > 0
          ? sumOf(tallies, (value) => placeOf(value, id)) / counted
          : null,
    }
  })
  const mean =
    IN_NUMBERS.includes(prompt.kind) && counted > 0
      ? sumOf(tallies, (value) => Number(value)) / counted
      : null
  return { counted, options, mean } satisfies Distribution
}

const IN_NUMBERS: readonly PromptKind[] = ['scale', 'confidence', 'number']

const sumOf = (tallies: readonly Tally[], of: (value: unknown) => number): number =>
  tallies.reduce((sum, { value, count }) => sum + of(value) * count, 0)

/** A ranking counts for the option in first place. */
const counts = (kind: PromptKind, value: unknown, id: string): boolean =>
  kind === 'ranking' ? [value].flat()[0] === id : [value].flat().map(String).includes(id)

/** An option that was added after the ranking is placed behind all ranked ones. */
function placeOf(value: unknown, id: string): number {
  const ranked = [value].flat()
  return ranked.includes(id) ? ranked.indexOf(id) + 1 : ranked.length + 1
}

function stepsOf({ kind, options, target }: Pick<Prompt, 'kind' | 'options' | 'target'>) {
  const step = (id: string, text = id, correct: boolean | null = null) => ({ id, text, correct })
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => step(String(from + index)))
  switch (kind) {
    case 'true_false':
      return [true, false].map((one) =>
        step(String(one), one ? 'True' : 'False', target ? target.value === one : null),
      )
    case 'scale':
      return numbers(1, 5)
    case 'confidence':
      return numbers(0, 10)
    default:
      return options.map(({ id, text, correct }) => step(id, text, correct))
  }
}

/** The distribution of the answers to one question. */

import type { PromptFigures } from '#app/domain/analytics/figures.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Bars, barsHeight } from './bars.tsx'
import { Chart } from './chart.tsx'

export function AnswersChart({ prompt }: { prompt: PromptFigures }) {
  const { prompt_id, kind, options, counted } = prompt
  const isRanked = kind === 'ranking'
  const words = ({ count, mean_rank }: (typeof options)[number]) =>
    isRanked ? `place ${rounded(mean_rank ?? 0)}` : `${figures(count)} · ${percent({ n: count, d: counted })}`
  const label = (text: string, correct: boolean | null) => (correct ? `${isolated(text)} (right)` : text)
  return (
    <Chart
      id={`answers-${prompt_id}`}
      level={3}
      title={sentenceOf(prompt)}
      label="How the answers spread"
      head={isRanked ? ['Answer', 'Mean place', 'Times first'] : ['Answer', 'Learners', 'Share of answers']}
      rows={options.map((option) =>
        isRanked
          ? [option.text, rounded(option.mean_rank ?? 0), option.count]
          : [label(option.text, option.correct), option.count, percent({ n: option.count, d: counted })],
      )}
      height={barsHeight(options.length)}
    >
      <Bars
        most={isRanked ? options.length : counted}
        bars={options.map((option) => ({
          label: option.correct ? `✓ ${option.text}` : option.text,
          // The best rank gets the longest bar.
          value: isRanked ? options.length + 1 - (option.mean_rank ?? options.length) : option.count,
          words: words(option),
          ...(option.correct ? { tone: 'right' as const } : {}),
        }))}
      />
    </Chart>
  )
}

export const rounded = (value: number) => figures(value, { maximumFractionDigits: 1 })

const SCALES: Partial<Record<PromptFigures['kind'], string>> = { scale: ' of 5', confidence: ' of 10' }

function sentenceOf({ kind, mean, options, counted }: PromptFigures): string {
  if (mean !== null) return `The mean is ${rounded(mean)}${SCALES[kind] ?? ''} (n = ${counted})`
  if (kind === 'ranking') {
    const [best] = [...options].sort((one, other) => (one.mean_rank ?? 0) - (other.mean_rank ?? 0))
    return `“${isolated(best?.text ?? '')}” is ranked highest, at place ${rounded(best?.mean_rank ?? 0)} on average`
  }
  const right = options.filter(({ correct }) => correct)
  const [only] = right
  if (only && right.length === 1) return `${percent({ n: only.count, d: counted })} gave the right answer`
  const most = Math.max(...options.map(({ count }) => count))
  const first = options.filter(({ count }) => count === most)
  if (first.length > 1)
    return `${first.length} answers were given equally often, ${percent({ n: most, d: counted })} each`
  return `${percent({ n: most, d: counted })} answered “${isolated(first[0]?.text ?? '')}”`
}

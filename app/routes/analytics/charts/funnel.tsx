/** The funnel from due to completed lifts. */

import type { Figures } from '#app/domain/analytics/figures.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { figures } from '#app/domain/text/figures.ts'
import { Bars, barsHeight } from './bars.tsx'
import { Chart } from './chart.tsx'
import { counted } from './words.ts'

export function Funnel({ figures: { counts } }: { figures: Figures }) {
  const steps = [
    ['Due', counts.assigned],
    ['Sent', counts.accepted],
    ['Delivered', counts.delivered],
    ['Opened', counts.opened],
    ['Answered', counts.responded],
    ['Completed', counts.completed],
  ] as const
  const silent = counts.assigned - counts.asked
  return (
    <Chart
      id="funnel"
      title={sentenceOf(counts)}
      label="How many of what was due got how far"
      note={
        silent > 0
          ? `${counted(silent, 'of these has', 'of these have')} no question, so only ${figures(counts.asked)} can be answered.`
          : null
      }
      head={['Step', 'Count', 'Of all due']}
      rows={steps.map(([name, n]) => [name, n, percent({ n, d: counts.assigned })])}
      height={barsHeight(steps.length)}
    >
      <Bars
        most={counts.assigned}
        bars={steps.map(([label, value]) => ({
          ...{ label, value },
          words: `${figures(value)} · ${percent({ n: value, d: counts.assigned })}`,
        }))}
      />
    </Chart>
  )
}

/** Names the step at which most are lost. */
function sentenceOf({ assigned, accepted, opened, completed }: Figures['counts']): string {
  if (completed === assigned) return 'Everything that was due is completed'
  const losses = [
    { many: assigned - accepted, words: 'was not sent' },
    { many: accepted - opened, words: 'was sent but not opened' },
    { many: opened - completed, words: 'was opened but not completed' },
  ].sort((one, other) => other.many - one.many)
  const [worst] = losses
  if (!worst || worst.many <= 0)
    return `${percent({ n: completed, d: assigned })} of what was due is completed`
  const share = percent({ n: worst.many, d: assigned })
  return `The largest loss: ${share} of what was due ${worst.words}`
}

/** Why messages failed, or their delivery is unknown. */

import type { Failures } from '#app/domain/analytics/pictures/pictures.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { figures } from '#app/domain/text/figures.ts'
import { Bars, barsHeight } from './bars.tsx'
import { Chart } from './chart.tsx'
import { titleOfFailures } from './failures-title.ts'

const OUTCOMES = {
  unknown: 'Unconfirmed',
  suppressed: 'Held back',
  failed: 'Failed',
  expired: 'Too late',
} as const

export function FailuresChart({ failures: { data, assigned } }: { failures: Failures }) {
  const [first] = data
  if (!first) return null
  return (
    <Chart
      id="failures"
      title={titleOfFailures(data)}
      label="Messages that did not get through, by reason"
      head={['Reason', 'Outcome', 'Count', 'Of all due']}
      rows={data.map(({ reason, outcome, count }) => [
        reason,
        OUTCOMES[outcome],
        count,
        percent({ n: count, d: assigned }),
      ])}
      height={barsHeight(data.length)}
    >
      <Bars
        most={first.count}
        bars={data.map(({ reason, count }) => ({
          label: reason,
          value: count,
          words: figures(count),
        }))}
      />
    </Chart>
  )
}

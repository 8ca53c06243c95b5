/** Why messages did not leave, or nobody knows whether they arrived. */

import type { Failures } from '#app/domain/analytics/pictures/pictures.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { figures } from '#app/domain/text/figures.ts'
import { Bars, barsHeight } from './bars.tsx'
import { Chart } from './chart.tsx'
import { counted } from './words.ts'

const OUTCOMES = {
  unknown: 'Unconfirmed',
  suppressed: 'Held back',
  failed: 'Failed',
  expired: 'Too late',
} as const

export function FailuresChart({ failures: { data, assigned } }: { failures: Failures }) {
  const [first] = data
  if (!first) return null
  const total = data.reduce((sum, { count }) => sum + count, 0)
  return (
    <Chart
      id="failures"
      title={
        data.length === 1
          ? `${counted(total, 'message did', 'messages did')} not get through: ${lower(first.reason)}`
          : `${counted(total, 'message did', 'messages did')} not get through, most often because: ${lower(first.reason)}`
      }
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

const lower = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

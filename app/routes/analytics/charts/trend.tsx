/** The rates of answers and completions, by the week in which lifts were due. */
import { scaleLinear, scaleUtc } from 'd3-scale'
import { line } from 'd3-shape'
import type { Rate } from '#app/domain/analytics/figures.ts'
import type { Trend } from '#app/domain/analytics/pictures/pictures.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { dayInWords, formatDate } from '#app/domain/text/date-format.ts'
import { figures } from '#app/domain/text/figures.ts'
import { Chart, WIDTH } from './chart.tsx'
import { noon, shareOf, titleOfTrend } from './trend-title.ts'

const HEIGHT = 200
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 4, 24, 26]
/** Space for each name in the legend, also in the larger type on paper. */
const LEGEND = 118
const y = scaleLinear([0, 1], [HEIGHT - BOTTOM, TOP])
const LINES = [
  { key: 'response', name: 'Answered' },
  { key: 'completion', name: 'Completed' },
] as const

export function TrendChart({ trend: { weeks } }: { trend: Trend }) {
  if (weeks.length < 2) return null
  const days = scaleUtc(
    [noon(weeks[0]?.week ?? ''), noon(weeks.at(-1)?.week ?? '')],
    [LEFT + 16, WIDTH - RIGHT - 20],
  )
  const x = (week: string) => days(noon(week))
  const named = spaced(weeks.map(({ week }) => ({ week, at: x(week) })))
  return (
    <Chart
      id="trend"
      title={titleOfTrend(weeks)}
      label="Answered and completed by the week in which lifts were due"
      note="Each week counts what was due in it and was answered or completed since. Recent weeks can still rise."
      head={['Week of', 'Due', 'Answered', 'Completed']}
      rows={weeks.map(({ week, counts, response, completion }) => [
        dayInWords(week),
        counts.assigned,
        inFull(response),
        inFull(completion),
      ])}
      height={HEIGHT}
    >
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line className="chart-grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(share)} y2={y(share)} />
          <text className="chart-tick" textAnchor="end" x={LEFT - 6} y={y(share) + 4}>
            {`${share * 100}%`}
          </text>
        </g>
      ))}
      {named.map(({ week, at }) => (
        <text key={week} className="chart-tick" textAnchor="middle" x={at} y={HEIGHT - 8}>
          {inDay(week)}
        </text>
      ))}
      {LINES.map(({ key, name }, nth) => (
        <g key={key} className="chart-series" data-series={key}>
          <Series {...{ name, x }} points={weeks.map((week) => ({ week: week.week, rate: week[key] }))} />
          <line x1={LEFT + nth * LEGEND} x2={LEFT + nth * LEGEND + 18} y1="8" y2="8" />
          <text className="chart-words" x={LEFT + nth * LEGEND + 24} y="12">
            {name}
          </text>
        </g>
      ))}
    </Chart>
  )
}

type Point = { week: string; rate: Rate }
type SeriesProps = { name: string; x: (week: string) => number; points: readonly Point[] }

function Series({ name, x, points }: SeriesProps) {
  const asked = points.filter(({ rate }) => rate.d > 0)
  const draw = line<Point>()
    .defined(({ rate }) => rate.d > 0)
    .x(({ week }) => x(week))
    .y(({ rate }) => y(shareOf(rate)))
  return (
    <>
      <path d={draw(points) ?? ''} />
      {asked.map(({ week, rate }) => (
        <circle key={week} cx={x(week)} cy={y(shareOf(rate))} r="3.5">
          <title>{`Week of ${dayInWords(week)}: ${name} ${inFull(rate)}`}</title>
        </circle>
      ))}
    </>
  )
}

const APART = 52

/** The weeks whose labels fit, from the last one back. */
function spaced<T extends { at: number }>(all: readonly T[]): T[] {
  const named: T[] = []
  for (const one of [...all].reverse()) {
    const before = named.at(-1)
    if (!before || before.at - one.at >= APART) named.push(one)
  }
  return named
}

const inFull = (rate: Rate): string =>
  rate.d === 0 ? '-' : `${percent(rate)} (${figures(rate.n)} of ${figures(rate.d)})`
const inDay = (day: string) => formatDate(noon(day), { month: 'short', day: 'numeric', timeZone: 'UTC' })

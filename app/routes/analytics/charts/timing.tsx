/** Answers by days since their message. */

import { scaleBand, scaleLinear } from 'd3-scale'
import { LAST_DAY, type Timing } from '#app/domain/analytics/pictures/pictures.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { figures } from '#app/domain/text/figures.ts'
import { Chart, WIDTH } from './chart.tsx'
import { counted } from './words.ts'

const HEIGHT = 200
const BOTTOM = 24
const TOP = 18

export function TimingChart({ timing }: { timing: Timing }) {
  const { days, sent, unsent } = timing
  const answered = days.reduce((sum, one) => sum + one.answered, 0)
  if (sent === 0) return null
  const most = Math.max(...days.map((one) => one.answered), 1)
  const x = scaleBand<number>(
    days.map(({ day }) => day),
    [0, WIDTH],
  ).padding(0.25)
  const y = scaleLinear([0, most], [HEIGHT - BOTTOM, TOP])
  return (
    <Chart
      id="timing"
      title={sentenceOf(timing)}
      label="Answers by days since their message"
      note={notesOf(timing, answered, unsent)}
      head={['Since the message', 'Answers', 'Of all sent']}
      rows={days
        .filter((one) => one.answered > 0)
        .map((one) => [inDays(one.day), one.answered, percent({ n: one.answered, d: sent })])}
      height={HEIGHT}
    >
      <line className="chart-axis" x1="0" x2={WIDTH} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
      {days.map(({ day, answered: many }) => (
        <g key={day}>
          <title>{`${inDays(day)}: ${counted(many, 'answer')}`}</title>
          <rect
            className="chart-bar"
            x={x(day)}
            y={y(many)}
            width={x.bandwidth()}
            height={HEIGHT - BOTTOM - y(many)}
            rx="2"
          />
          {many > 0 ? (
            <text
              className="chart-figure"
              textAnchor="middle"
              x={(x(day) ?? 0) + x.bandwidth() / 2}
              y={y(many) - 5}
            >
              {figures(many)}
            </text>
          ) : null}
          {day % 2 === 0 ? (
            <text
              className="chart-tick"
              textAnchor="middle"
              x={(x(day) ?? 0) + x.bandwidth() / 2}
              y={HEIGHT - 8}
            >
              {day === LAST_DAY ? `${day}+` : day}
            </text>
          ) : null}
        </g>
      ))}
    </Chart>
  )
}

const inDays = (day: number): string => {
  if (day === 0) return 'Within a day'
  if (day >= LAST_DAY) return `After ${day} days or more`
  return day === 1 ? 'After 1 day' : `After ${day} days`
}

const within = (days: number) => (days === 1 ? 'within a day' : `within ${days} days`)

function sentenceOf({ within: told }: Timing): string {
  const [first] = told.filter(({ rate }) => rate.d > 0)
  return first
    ? `${percent(first.rate)} answered ${within(first.days)}`
    : 'Everything was sent less than a day ago: it is too early to say how soon answers come'
}

function notesOf({ within: told, sent }: Timing, answered: number, unsent: number): string {
  const rates = told
    .filter(({ rate }) => rate.d > 0)
    .map(({ days, rate }) => `${figures(rate.n)} of ${figures(rate.d)} ${within(days)}`)
  return [
    ...(rates.length > 0 ? [`Answered ${rates.join(', ')}, each of those sent at least that long ago.`] : []),
    `${counted(answered, 'answer')} to ${counted(sent, 'message')} so far.`,
    ...(unsent > 0
      ? [`${counted(unsent, 'answer')} came without a message and ${unsent === 1 ? 'is' : 'are'} not drawn.`]
      : []),
  ].join(' ')
}

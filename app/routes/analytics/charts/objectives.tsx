/** Each objective's self-assessment before and after, with the 95% confidence interval of the change. */
import { scaleLinear } from 'd3-scale'
import type { Comparison, ObjectiveFigures } from '#app/domain/analytics/assessed/assessment-figures.ts'
import { inPoints, percentOf } from '#app/domain/analytics/assessed/assessment-words.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { LETTERS, shortened } from './bars.tsx'
import { Chart, WIDTH } from './chart.tsx'
import { counted } from './words.ts'

const [ROW, TOP, EDGE] = [40, 30, 10]
const x = scaleLinear([0, 1], [EDGE, WIDTH - EDGE]).clamp(true)

type Known = { [Name in keyof Comparison]: NonNullable<Comparison[Name]> }
type Shown = Pick<ObjectiveFigures, 'objective_id'> & {
  name: string
  /** The part of the label that fits. */
  drawn: string
  change: Comparison & Pick<Known, 'before' | 'after'>
}

export function ObjectivesChart({ objectives }: { objectives: readonly ObjectiveFigures[] }) {
  const shown = objectives.flatMap(({ objective_id, code, text, self_change: change }): Shown[] => {
    const { before, after } = change
    return before === null || after === null
      ? []
      : [
          {
            objective_id,
            name: `${isolated(code)} ${isolated(text)}`,
            drawn: `${isolated(code)} ${isolated(shortened(text, LETTERS - code.length - 1))}`,
            change: { ...change, before, after },
          },
        ]
  })
  if (shown.length === 0) return null
  const height = TOP + shown.length * ROW + 22
  return (
    <Chart
      id="objectives"
      title={sentenceOf(shown)}
      label="Objectives before and after, as learners see themselves"
      note="The band, which is also given in brackets, is the 95% interval of the change."
      head={['Objective', 'Learners', 'Before', 'After', 'Change']}
      rows={shown.map(({ name, change }) => [
        ...([name, change.counted, percentOf(change.before), percentOf(change.after)] as const),
        inPoints(change.difference) + intervalOf(change),
      ])}
      height={height}
    >
      <Legend />
      <Scale height={height} />
      {shown.map((objective, nth) => (
        <g
          key={objective.objective_id}
          className="chart-objective"
          transform={`translate(0 ${TOP + nth * ROW})`}
        >
          <Change {...objective} />
        </g>
      ))}
    </Chart>
  )
}

const Scale = ({ height }: { height: number }) =>
  [0, 0.5, 1].map((share) => (
    <g key={share}>
      <line className="chart-grid" x1={x(share)} x2={x(share)} y1={TOP} y2={height - 20} />
      <text
        className="chart-tick"
        textAnchor={share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}
        x={share === 0 ? 0 : share === 1 ? WIDTH : x(share)}
        y={height - 6}
      >
        {`${share * 100}%`}
      </text>
    </g>
  ))

const Change = ({ name, drawn, change: { before, after, low, high } }: Shown) => (
  <>
    <title>{`${name}: ${percentOf(before)} before, ${percentOf(after)} after`}</title>
    <text className="chart-words" x="0" y="12">
      {drawn}
    </text>
    {low === null || high === null ? null : (
      <line className="chart-band" x1={x(before + low)} x2={x(before + high)} y1="25" y2="25" />
    )}
    <line className="chart-way" x1={x(before)} x2={x(after)} y1="25" y2="25" />
    <circle className="chart-before" cx={x(before)} cy="25" r="5" />
    <circle className="chart-after" cx={x(after)} cy="25" r="5" />
  </>
)

const Legend = () => (
  <g className="chart-objective">
    <circle className="chart-before" cx="6" cy="8" r="5" />
    <text className="chart-words" x="16" y="12">
      Before
    </text>
    <circle className="chart-after" cx="86" cy="8" r="5" />
    <text className="chart-words" x="96" y="12">
      After
    </text>
    <line className="chart-band" x1="156" x2="180" y1="8" y2="8" />
    <text className="chart-words" x="190" y="12">
      95% interval
    </text>
  </g>
)

const intervalOf = ({ low, high }: Comparison): string =>
  low === null || high === null ? '' : ` (${inPoints(low)} to ${inPoints(high)})`

/** Only a change whose interval excludes zero is called one. */
function sentenceOf(shown: readonly Shown[]): string {
  const all = counted(shown.length, 'objective')
  const higher = shown.filter(({ change }) => (change.low ?? 0) > 0).length
  const lower = shown.filter(({ change }) => (change.high ?? 0) < 0).length
  const said = [
    ...(higher > 0
      ? [`${higher} of ${all} ${higher === 1 ? 'is' : 'are'} rated higher after than before`]
      : []),
    ...(lower > 0 ? [`${higher > 0 ? lower : `${lower} of ${all}`} lower`] : []),
  ]
  return said.length > 0 ? said.join(', ') : `No change beyond chance in ${all}`
}

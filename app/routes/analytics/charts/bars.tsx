/** Horizontal bars, each below its label, which can have any length on any screen. */
import { scaleLinear } from 'd3-scale'
import { isolated } from '#app/domain/text/isolated.ts'
import { WIDTH } from './chart.tsx'

export type Bar = {
  label: string
  value: number
  /** The text at its end. */
  words: string
  tone?: 'right' | 'quiet'
}

const ROW = 38
const BAR = 14
/** Space for the text at the end. */
const END = 92

export const barsHeight = (count: number): number => count * ROW + 4

/** `most`: the value of a full bar. */
export function Bars({ bars, most }: { bars: readonly Bar[]; most: number }) {
  const width = scaleLinear([0, Math.max(most, 1)], [0, WIDTH - END])
  return bars.map(({ label, value, words, tone }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: bars are never moved
    <g key={index} transform={`translate(0 ${index * ROW})`}>
      <title>{`${isolated(label)}: ${words}`}</title>
      <text className="chart-words" x="0" y="13">
        {isolated(shortened(label))}
      </text>
      <rect className="chart-track" y="19" width={WIDTH - END} height={BAR} rx="3" />
      <rect className="chart-bar" data-tone={tone} y="19" width={width(value)} height={BAR} rx="3" />
      <text className="chart-figure" x={WIDTH - END + 6} y="30">
        {words}
      </text>
    </g>
  ))
}

export const LETTERS = 50
export function shortened(words: string, room = LETTERS): string {
  const letters = [...words]
  return letters.length > room ? `${letters.slice(0, room - 1).join('')}…` : words
}

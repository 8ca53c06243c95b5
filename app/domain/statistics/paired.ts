/** The paired difference between two measurements of the same people. */
import { tQuantile } from './student-t.ts'

export type Pair = { readonly before: number; readonly after: number }
export type PairedDifference = {
  n: number
  before: number
  after: number
  difference: number
  /** The 95% confidence interval of the mean difference; null for fewer than two people. */
  low: number | null
  high: number | null
  /** The effect size: the difference in standard deviations of the differences; null if these are all equal. */
  d_z: number | null
}

export function pairedDifference(pairs: readonly Pair[]): PairedDifference | null {
  const n = pairs.length
  if (n === 0) return null
  const differences = pairs.map(({ before, after }) => after - before)
  const difference = meanOf(differences)
  const deviation = n > 1 ? deviationOf(differences) : null
  const reach = deviation === null ? null : (tQuantile(0.975, n - 1) * deviation) / Math.sqrt(n)
  return {
    n,
    before: meanOf(pairs.map((pair) => pair.before)),
    after: meanOf(pairs.map((pair) => pair.after)),
    difference,
    low: reach === null ? null : difference - reach,
    high: reach === null ? null : difference + reach,
    // Equal differences have a tiny deviation from rounding.
    d_z: deviation === null || deviation < 1e-12 ? null : difference / deviation,
  }
}

/** Two passes: the second corrects the rounding error of the first. */
export function meanOf(values: readonly number[]): number {
  const rough = values.reduce((sum, value) => sum + value, 0) / values.length
  return rough + values.reduce((sum, value) => sum + (value - rough), 0) / values.length
}

/** The sample standard deviation. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const lost = values.reduce((sum, value) => sum + (value - mean), 0)
  return Math.sqrt((squares - lost ** 2 / values.length) / (values.length - 1))
}

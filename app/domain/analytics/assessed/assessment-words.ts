/** Comparisons and times in words that claim no more than is known. */
import { figures } from '#app/domain/text/figures.ts'
import { type Comparison, FEWEST_PAIRS, type TimeToAnswer } from './assessment-figures.ts'

export const percentOf = (level: number | null): string =>
  level === null ? '-' : `${Math.round(level * 100)}%`

/** `of`: the number of learners who could have both measurements. */
export function saidOfChange(comparison: Comparison, of: number): string {
  const { difference, low, high, d_z, counted } = comparison
  if (difference === null) return tooFew(comparison, of)
  const interval = low === null || high === null ? '' : `, 95% interval ${inPoints(low)} to ${inPoints(high)}`
  const size = d_z === null ? '' : `, d = ${d_z.toFixed(2)}`
  return `${inPoints(difference)} points${interval}${size}, n = ${counted}. ${verdict(low, high)}`
}

function verdict(low: number | null, high: number | null): string {
  if (low === null || high === null || (low <= 0 && high >= 0)) return 'This may be chance.'
  return low > 0 ? 'Higher than before.' : 'Lower than before.'
}

export function saidOfGap(comparison: Comparison, of: number): string {
  const { difference, counted } = comparison
  if (difference === null) return tooFew(comparison, of)
  const gap = Math.round(difference * 100)
  const seen = gap > 0 ? `${gap} points higher` : `${-gap} points lower`
  return gap === 0
    ? `Learners and sponsors agree, n = ${counted}.`
    : `Learners see themselves ${seen} than sponsors do, n = ${counted}.`
}

const tooFew = ({ pairs }: Comparison, of: number): string =>
  `Too few to say: ${pairs} of ${of} ${of === 1 ? 'learner has' : 'learners have'} both. Figures appear in steps of ${FEWEST_PAIRS} learners.`

/** Signed, in hundredths. */
export function inPoints(difference: number | null): string {
  if (difference === null) return '-'
  const rounded = Math.round(difference * 100)
  return rounded > 0 ? `+${rounded}` : rounded < 0 ? `−${-rounded}` : '0'
}

export function saidOfTime({ asked, answered, median, median_of_all }: TimeToAnswer): string {
  if (asked === 0) return 'Nobody has been asked anything yet.'
  if (median === null) return `None of ${figures(asked)} has been answered yet.`
  const those = `${answered === 1 ? 'The one answer' : `Half of the ${figures(answered)} answers`} came within ${duration(median)}.`
  if (answered === asked) return `${those} Nobody is still to answer.`
  const all = `${those} Counting those who have not answered (${figures(asked - answered)} of ${figures(asked)}),`
  return median_of_all === null
    ? `${all} less than half have answered so far, so there is no median yet.`
    : `${all} half had answered within ${duration(median_of_all)}.`
}

/** Rounded up, because it is read as "within". */
function duration(minutes: number): string {
  const [value, unit] =
    minutes < 120
      ? [Math.max(1, Math.ceil(minutes)), 'minute']
      : minutes < 2 * 1440
        ? [Math.ceil(minutes / 60), 'hour']
        : [Math.ceil(minutes / 1440), 'day']
  return `${value} ${unit}${value === 1 ? '' : 's'}`
}

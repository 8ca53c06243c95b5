/**
 * Pairs are counted in groups of five, the same for every reader: the difference between two reports reveals no one's
 * answers.
 */
import { pairedDifference } from '../../statistics/paired.ts'
import { type Comparison, FEWEST_PAIRS } from './assessment-figures.ts'

export type Scored = { score: number; at: Date; is_counted: boolean }

export function compareInFives(
  before: ReadonlyMap<number, Scored>,
  after: ReadonlyMap<number, Scored>,
): Comparison {
  const pairs = [...before].flatMap(([learner, first]) => {
    const second = after.get(learner)
    return second ? [{ learner, first, second, at: Math.max(first.at.getTime(), second.at.getTime()) }] : []
  })
  pairs.sort((one, other) => one.at - other.at || one.learner - other.learner)
  const fives = Array.from({ length: Math.floor(pairs.length / FEWEST_PAIRS) }, (_, nth) =>
    pairs.slice(nth * FEWEST_PAIRS, (nth + 1) * FEWEST_PAIRS),
  )
  const shown = fives
    .filter((five) => five.every(({ first }) => first.is_counted))
    .flat()
    .map(({ first, second }) => ({ before: first.score, after: second.score }))
  const found = pairedDifference(shown)
  const { before: from, after: to, difference, low, high, d_z } = found ?? NOTHING
  return {
    pairs: pairs.filter(({ first }) => first.is_counted).length,
    counted: shown.length,
    ...{ before: from, after: to, difference, low, high, d_z },
  }
}

const NOTHING = { before: null, after: null, difference: null, low: null, high: null, d_z: null }

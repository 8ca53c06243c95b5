import { expect, it } from 'vitest'
import { saidOfChange, saidOfGap, saidOfTime } from './assessment-words.ts'

const none = { before: null, after: null, difference: null, low: null, high: null, d_z: null }
const some = { pairs: 12, counted: 10, before: 0.4, after: 0.55 }

it('A comparison states its uncertainty, or that too few learners have both measurements', () => {
  expect(saidOfChange({ ...none, pairs: 3, counted: 0 }, 14)).toBe(
    'Too few to say: 3 of 14 learners have both. Figures appear in steps of 5 learners.',
  )
  expect(saidOfChange({ ...some, difference: 0.15, low: 0.03, high: 0.27, d_z: 0.894 }, 14)).toBe(
    '+15 points, 95% interval +3 to +27, d = 0.89, n = 10. Higher than before.',
  )
  expect(saidOfChange({ ...some, difference: -0.1, low: -0.3, high: 0.1, d_z: -0.4 }, 14)).toContain(
    '−10 points, 95% interval −30 to +10, d = -0.40, n = 10. This may be chance.',
  )
})

it('A gap says whether learners or sponsors rate higher', () => {
  const gap = (difference: number) => saidOfGap({ ...some, difference, low: null, high: null, d_z: null }, 14)
  expect(gap(0.084)).toBe('Learners see themselves 8 points higher than sponsors do, n = 10.')
  expect(gap(-0.2)).toBe('Learners see themselves 20 points lower than sponsors do, n = 10.')
  expect(gap(0.001)).toBe('Learners and sponsors agree, n = 10.')
})

it('A time to answer is also given counting those who have not answered', () => {
  const said = (median: number | null, median_of_all: number | null, answered = 6) =>
    saidOfTime({ as_of: '', asked: 10, answered, median, median_of_all })
  expect(said(35, 300)).toBe(
    'Half of the 6 answers came within 35 minutes. Counting those who have not answered (4 of 10), half had answered within 5 hours.',
  )
  expect(said(2880, null, 4)).toContain(
    'Half of the 4 answers came within 2 days. Counting those who have not answered (6 of 10), less than half have answered so far',
  )
  expect(said(192, 49 * 60)).toContain('came within 4 hours. ')
  expect(said(192, 49 * 60)).toContain('half had answered within 3 days.')
  expect(said(35, 35, 10)).toBe('Half of the 10 answers came within 35 minutes. Nobody is still to answer.')
  expect(saidOfTime({ as_of: '', asked: 12_000, answered: 9000, median: 5, median_of_all: 9 })).toBe(
    'Half of the 9,000 answers came within 5 minutes. Counting those who have not answered (3,000 of 12,000), half had answered within 9 minutes.',
  )
  expect(said(null, null, 0)).toBe('None of 10 has been answered yet.')
})

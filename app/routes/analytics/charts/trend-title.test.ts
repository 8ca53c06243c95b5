import { expect, it } from 'vitest'
import { titleOfTrend } from './trend-title.ts'

const week = (day: string, answered: [number, number], completed: [number, number]) => ({
  week: day,
  response: { n: answered[0], d: answered[1] },
  completion: { n: completed[0], d: completed[1] },
})

it('The title of the trend is about the last week in which something was due', () => {
  const first = week('2026-11-02', [1, 4], [2, 4])
  const empty = week('2026-11-16', [0, 0], [0, 0])
  expect(titleOfTrend([first, empty])).toBe('50% of what was due in the week of Nov 2, 2026 is completed')
  expect(titleOfTrend([first, week('2026-11-09', [2, 4], [2, 4]), empty])).toBe(
    '50% of what was due in the week of Nov 9, 2026 is answered, up from 25%',
  )
  const close = week('2026-11-09', [605, 1000], [605, 1000])
  expect(titleOfTrend([close, week('2026-11-16', [614, 1000], [614, 1000])])).toBe(
    '61% of what was due in the week of Nov 16, 2026 is answered, as much as before',
  )
  expect(titleOfTrend([close, week('2026-11-16', [604, 1000], [604, 1000])])).toContain('60%')
  expect(titleOfTrend([close, week('2026-11-16', [604, 1000], [604, 1000])])).toContain('down from 61%')
  expect(titleOfTrend([first, week('2026-11-09', [2, 4], [2, 8])])).toContain(
    '50% of what was due with a question in the week of Nov 9, 2026 is answered',
  )
  expect(titleOfTrend([empty, empty])).toBe('Nothing was due in these weeks')
})

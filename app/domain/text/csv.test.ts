import { expect, it } from 'vitest'
import { toCsv } from './csv.ts'

const cell = (value: string) => toCsv([[value]]).slice(1, -2)

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '\u00A0@x'])(
  'CSV keeps %j from being calculated',
  (typed) => {
    expect(cell(typed).replace(/^"/, '')).toMatch(/^'/)
  },
)

it.each([
  [';=1', '";\'=1"'],
  ['a; @b', '"a;\' @b"'],
  ['Sales\t-1', '"Sales\t\'-1"'],
  ['a;"=1"', '"a;\'""=1"""'],
  ['Coaching; training', '"Coaching; training"'],
])('CSV keeps %j from being calculated where semicolons separate cells', (typed, written) => {
  expect(cell(typed)).toBe(written)
})

it('CSV quotes cells with separators, quotes or line breaks', () => {
  expect(toCsv([['a,b', 'say "no"', 'two\nlines', null, 7, true]])).toBe(
    '\uFEFF"a,b","say ""no""","two\nlines",,7,true\r\n',
  )
})

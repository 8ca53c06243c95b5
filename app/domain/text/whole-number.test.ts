import { expect, it } from 'vitest'
import { z } from 'zod'
import { Day, PlanDay } from '../hours/wall-time.ts'
import { wholeNumber } from './whole-number.ts'

const said = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message)

it.each([
  [1, undefined],
  [8760, undefined],
  [0, ['Please enter at least 1']],
  [1e20, ['Please enter at most 8,760']],
  [1.5, ['Please enter a whole number']],
  ['x', ['Please enter a number']],
])('A whole number gets at most one message for %j', (value, words) => {
  expect(said(wholeNumber(z.number('Please enter a number'), 1, 8760), value)).toEqual(words)
})

it('An invalid day gets one message', () => {
  expect(said(Day, 'bad')).toEqual(['Please enter a date'])
  expect(said(PlanDay, 'bad')).toEqual(['Please enter a date'])
  expect(said(PlanDay, '1999-12-31')).toEqual(['Please enter a date from 2000 to 2100'])
})

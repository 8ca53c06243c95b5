import { describe, expect, it } from 'vitest'
import { answerTo, scoreOf } from './answer.ts'
import { AssessmentInput, type AssessmentItem, AssessmentItem as Item } from './assessment.ts'

const item = (id: number, more: object): AssessmentItem => Item.parse({ id, text: 'How well?', ...more })
const scale = (id: number, more: object = {}) =>
  item(id, { kind: 'scale', anchors: ['', '', '', '', ''], ...more })
const choice = (id: number, points: (number | null)[], more: object = {}) =>
  item(id, {
    kind: 'choice',
    options: points.map((one, nth) => ({ id: `o${nth}`, text: `Option ${nth}`, points: one })),
    ...more,
  })

describe('The score of a form', () => {
  it('is the mean position of the answers between their lowest and highest values', () => {
    expect(scoreOf([scale(1), scale(2)], { 1: 1, 2: 5 })).toBe(0.5)
    expect(scoreOf([scale(1), choice(2, [-2, 0, 2])], { 1: 4, 2: 'o2' })).toBe(0.875)
  })

  it('counts each item by its weight', () => {
    expect(scoreOf([scale(1, { weight: 3 }), scale(2)], { 1: 5, 2: 1 })).toBe(0.75)
    expect(scoreOf([scale(1, { weight: 0 }), scale(2)], { 1: 5, 2: 1 })).toBe(0)
  })

  it('is missing if less than half of the weight was answered', () => {
    const items = [scale(1, { weight: 2 }), scale(2), scale(3)]
    expect(scoreOf(items, { 2: 3 })).toBeNull()
    expect(scoreOf(items, { 1: 3 })).toBe(0.5)
    expect(scoreOf(items, { 2: 3, 3: null })).toBeNull()
    expect(scoreOf(items, {})).toBeNull()
  })

  it('leaves out text answers, and answers without points', () => {
    expect(scoreOf([scale(1), item(2, { kind: 'text' })], { 1: 2, 2: 'Words' })).toBe(0.25)
    expect(scoreOf([scale(1), choice(2, [null, null])], { 1: 2, 2: 'o1' })).toBe(0.25)
    expect(scoreOf([item(2, { kind: 'text' })], { 2: 'Words' })).toBeNull()
    // If other options have points, an answer without points counts as not given.
    expect(scoreOf([scale(1), choice(2, [0, 1, null])], { 1: 5, 2: 'o2' })).toBe(1)
    expect(scoreOf([scale(1), choice(2, [3, 3])], { 1: 5, 2: 'o1' })).toBe(1)
  })
})

describe('An answer', () => {
  it('must be a step of the scale, an option of the choice, or text', () => {
    for (const [asked, good, bad] of [
      [scale(1), [1, 5, null], [0, 6, 1.5, '3', '', Number.NaN]],
      [choice(1, [0, 1]), ['o0', null], ['o7', '', 0, '__proto__']],
      [item(1, { kind: 'text' }), ['Words', null], [5, 'x'.repeat(2001), 'a\0b', 'a\ud800']],
    ] as const) {
      for (const value of good)
        expect([value, answerTo(asked).safeParse(value).success]).toEqual([value, true])
      for (const value of bad)
        expect([value, answerTo(asked).safeParse(value).success]).toEqual([value, false])
    }
    expect(answerTo(item(1, { kind: 'text' })).parse('  ')).toBeNull()
  })
})

describe('An assessment', () => {
  const offset = (days: number, more: object = {}) => ({ kind: 'offset', from: 'start', days, ...more })
  const day = (date: string, time = '09:00') => ({ kind: 'absolute', date, time })
  const input = (more: object) =>
    AssessmentInput.safeParse({ name: 'A', phase: 'pre', raters: ['self'], opens: offset(3), ...more })
  const messages = (more: object) => input(more).error?.issues.map(({ message }) => message) ?? []

  it('must close after it opens', () => {
    expect(messages({ closes: offset(4) })).toEqual([])
    expect(messages({ closes: offset(3) })).toEqual(['It would close before it opens'])
    expect(messages({ opens: offset(3, { time: '09:00' }), closes: offset(3, { time: '17:00' }) })).toEqual(
      [],
    )
    expect(messages({ opens: day('2030-02-01'), closes: day('2030-01-31') })).toHaveLength(1)
    expect(messages({ opens: day('2030-02-01'), closes: offset(1) })).toEqual([])
  })

  it('must have raters, without duplicates, and items that can be answered', () => {
    expect(input({ raters: ['peers', 'self', 'peers'] }).data?.raters).toEqual(['self', 'peers'])
    expect(messages({ raters: [] })).toHaveLength(1)
    expect(messages({ opens: { kind: 'manual' } })).toHaveLength(1)
    expect(messages({ opens: { ...offset(1), from: 'previous_lift_completed' } })).toHaveLength(1)
    const items = (...items: object[]) => messages({ items })
    expect(items({ text: 'Q', kind: 'scale', anchors: ['low', 'high'] })).toEqual([])
    expect(items({ text: 'Q', kind: 'scale', anchors: ['only'] })).toEqual(['A scale has at least two steps'])
    expect(items({ text: 'Q', kind: 'choice' })).toEqual(['Please give at least two answers'])
    expect(items({ text: 'Q', kind: 'text', anchors: ['a', 'b'] })).toEqual(['Only a scale has steps'])
    expect(items({ text: 'Q', kind: 'text', color: 'red' })).toHaveLength(1)
  })
})

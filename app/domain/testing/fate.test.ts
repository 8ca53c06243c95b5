import { describe, expect, it } from 'vitest'
import { diceOf, fateOf } from './fate.ts'

const PEOPLE = Array.from({ length: 2000 }, (_, nth) => `mara.fischer.${nth}@testing.example:lift:1`)
const share = (answering: 'none' | 'some' | 'most') =>
  PEOPLE.filter((one) => fateOf(one, answering).answers).length / PEOPLE.length

describe('Simulated learners', () => {
  it('answer no lifts, about 30% or about 70% of them', () => {
    expect(share('none')).toBe(0)
    expect(share('some')).toBeCloseTo(0.3, 1)
    expect(share('most')).toBeCloseTo(0.7, 1)
    expect(PEOPLE.some((one) => fateOf(one, 'none').opens)).toBe(false)
  })

  it('decide the same each time, evenly spread', () => {
    expect(fateOf('ann:lift:1', 'most')).toEqual(fateOf('ann:lift:1', 'most'))
    const tenths = Array.from({ length: 10 }, () => 0)
    for (const one of PEOPLE) {
      const tenth = Math.floor(diceOf(one) * 10)
      tenths[tenth] = (tenths[tenth] ?? 0) + 1
    }
    expect(Math.min(...tenths)).toBeGreaterThan(140)
    expect(Math.max(...tenths)).toBeLessThan(260)
  })

  it('answer within a day', () => {
    for (const one of PEOPLE) {
      expect(fateOf(one, 'most').after_ms).toBeGreaterThan(0)
      expect(fateOf(one, 'most').after_ms).toBeLessThan(24 * 3_600_000)
    }
  })
})

import { expect, it } from 'vitest'
import { percent } from './rate.ts'

it.each([
  [{ n: 0, d: 0 }, '-'],
  [{ n: 0, d: 7 }, '0%'],
  [{ n: 9, d: 14 }, '64%'],
  [{ n: 7, d: 7 }, '100%'],
  [{ n: 999, d: 1000 }, '>99%'],
  [{ n: 1, d: 1000 }, '<1%'],
])('The rate %o is written as %s', (rate, words) => expect(percent(rate)).toBe(words))

import { describe, expect, it } from 'vitest'
import { backoffSeconds, furthest } from './occurrence.ts'

describe('An occurrence', () => {
  it('never goes back to an earlier state', () => {
    expect(furthest('responded', 'sent')).toBe('responded')
    expect(furthest('sent', 'opened')).toBe('opened')
    expect(furthest('completed', 'responded')).toBe('completed')
  })

  it('is retried after longer and longer pauses', () => {
    expect([1, 2, 3, 6].map((attempt) => backoffSeconds(attempt, 0))).toEqual([30, 120, 480, 7200])
    expect(backoffSeconds(1, 0.99)).toBeLessThanOrEqual(36)
  })
})

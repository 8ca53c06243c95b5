import { describe, expect, it } from 'vitest'
import { foldConsent } from '../consent/consent.ts'
import { backoffSeconds, furthest } from '../occurrences/occurrence.ts'
import { chooseChannel } from '../planning/channel.ts'
import { isClosed, isRunning, JOURNEY_STATUSES, mayMove } from './journey.ts'

describe('The states of a journey', () => {
  it('lead from draft to archive, and never back', () => {
    expect(mayMove('draft', 'active')).toBe(true)
    expect(mayMove('paused', 'active')).toBe(true)
    for (const status of JOURNEY_STATUSES) {
      expect(mayMove(status, 'draft')).toBe(false)
      expect(mayMove('archived', status)).toBe(false)
      expect(isClosed(status) && isRunning(status)).toBe(false)
    }
  })
})

describe('A turn', () => {
  it('only moves on', () => {
    expect(furthest('responded', 'sent')).toBe('responded')
    expect(furthest('sent', 'opened')).toBe('opened')
    expect(furthest('completed', 'responded')).toBe('completed')
  })

  it('is tried again later and later', () => {
    expect([1, 2, 3, 6].map((attempt) => backoffSeconds(attempt, 0))).toEqual([30, 120, 480, 7200])
    expect(backoffSeconds(1, 0.99)).toBeLessThanOrEqual(36)
  })
})

describe('Consent', () => {
  it('is what the person said last; an import says nothing', () => {
    expect(foldConsent([])).toBe('unknown')
    expect(foldConsent(['opt_in', 'import'])).toBe('opted_in')
    expect(foldConsent(['opt_in', 'opt_out', 'import'])).toBe('opted_out')
    expect(foldConsent(['opt_out', 'opt_in'])).toBe('opted_in')
    expect(foldConsent(['opt_in', 'reassigned'])).toBe('reassigned')
  })

  it('decides the channel: no yes, no text', () => {
    expect(chooseChannel(['sms', 'email'], 'opted_in')).toBe('sms')
    for (const state of ['unknown', 'opted_out', 'invalid', 'reassigned', undefined] as const)
      expect(chooseChannel(['sms'], state)).toBe('email')
    expect(chooseChannel(['in_app', 'sms'], 'opted_in')).toBe('in_app')
  })
})

import { describe, expect, it } from 'vitest'
import { foldConsent } from '../consent/consent.ts'
import { chooseChannel } from './channel.ts'

describe('Consent', () => {
  it('is the person’s latest decision; imports decide nothing', () => {
    expect(foldConsent([])).toBe('unknown')
    expect(foldConsent(['opt_in', 'import'])).toBe('opted_in')
    expect(foldConsent(['opt_in', 'opt_out', 'import'])).toBe('opted_out')
    expect(foldConsent(['opt_out', 'opt_in'])).toBe('opted_in')
    expect(foldConsent(['opt_in', 'reassigned'])).toBe('reassigned')
  })

  it('is needed for a text message; without it a lift goes by e-mail', () => {
    expect(chooseChannel(['sms', 'email'], 'opted_in')).toBe('sms')
    for (const state of ['unknown', 'opted_out', 'invalid', 'reassigned', undefined] as const)
      expect(chooseChannel(['sms'], state)).toBe('email')
    expect(chooseChannel(['in_app', 'sms'], 'opted_in')).toBe('in_app')
  })
})

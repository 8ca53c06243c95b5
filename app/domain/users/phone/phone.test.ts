import { describe, expect, it } from 'vitest'
import { dialCodes, splitPhone, toE164 } from './phone.ts'

describe('A phone number', () => {
  it.each([
    ['0664 123 45 67', '+43', '+436641234567'],
    ['(415) 555-2671', '+1', '+14155552671'],
    ['+31 6 12345678', '', '+31612345678'],
    ['06-12345678', '+31', '+31612345678'],
  ])('typed as %s with the country code %j is stored as %s', (typed, dialCode, kept) => {
    expect(toE164(typed, dialCode)).toBe(kept)
  })

  it.each([
    '',
    '12',
    '0664 1234567',
    '+1 000 000 0000',
    'call me',
    '+99912345678',
    '+31 (6) 12-34 56 78 abc',
  ])('%j is rejected', (typed) => {
    expect(toE164(typed)).toBeNull()
  })

  it('is split into the fields of the form, and joined again', () => {
    const { dial_code, phone_number } = splitPhone('+436641234567')
    expect([dial_code, phone_number]).toEqual(['+43', '6641234567'])
    expect(toE164(phone_number, dial_code)).toBe('+436641234567')
    expect(splitPhone(null)).toEqual({ dial_code: '', phone_number: '' })
  })

  it('can have every country code, each listed once', () => {
    const codes = dialCodes().map(({ value }) => value)
    expect(new Set(codes).size).toBe(codes.length)
    expect(codes).toContain('+43')
  })
})

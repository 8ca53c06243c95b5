import { expect, it } from 'vitest'
import { dayIn } from './date-format.ts'

it('The day of a moment depends on the time zone', () => {
  expect(dayIn('America/New_York', new Date('2026-11-21T03:00:00Z'))).toBe('2026-11-20')
  expect(dayIn('Pacific/Kiritimati', new Date('2026-12-31T10:00:00Z'))).toBe('2027-01-01')
})

it('The day is the same in a browser that formats dates differently, as WebKit does', () => {
  const { prototype } = Intl.DateTimeFormat
  const format = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {}
  Object.defineProperty(prototype, 'format', { configurable: true, get: () => () => '20/11/26' })
  try {
    expect(dayIn('America/New_York', new Date('2026-11-21T03:00:00Z'))).toBe('2026-11-20')
  } finally {
    Object.defineProperty(prototype, 'format', format)
  }
})

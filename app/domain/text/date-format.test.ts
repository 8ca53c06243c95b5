import { expect, it } from 'vitest'
import { dayIn } from './date-format.ts'

it('knows the day in a zone', () => {
  expect(dayIn('America/New_York', new Date('2026-11-21T03:00:00Z'))).toBe('2026-11-20')
  expect(dayIn('Pacific/Kiritimati', new Date('2026-12-31T10:00:00Z'))).toBe('2027-01-01')
})

it('is the same in a browser that writes dates another way, as WebKit does', () => {
  const { prototype } = Intl.DateTimeFormat
  const format = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {}
  Object.defineProperty(prototype, 'format', { configurable: true, get: () => () => '20/11/26' })
  try {
    expect(dayIn('America/New_York', new Date('2026-11-21T03:00:00Z'))).toBe('2026-11-20')
  } finally {
    Object.defineProperty(prototype, 'format', format)
  }
})

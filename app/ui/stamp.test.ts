import { describe, expect, it } from 'vitest'
import { stampOf } from './stamp.ts'

const plain = (stamp: string) => stamp.replace(/\u202f/g, ' ')
const NOW = new Date('2026-03-29T12:00:00Z')

describe('A stamp', () => {
  it('says today and yesterday in the zone of its reader', () => {
    expect(plain(stampOf('2026-03-29T09:04:00Z', 'UTC', NOW))).toBe('Today, 9:04 AM')
    expect(plain(stampOf('2026-03-28T23:30:00Z', 'UTC', NOW))).toBe('Yesterday, 11:30 PM')
    expect(plain(stampOf('2026-03-28T23:30:00Z', 'Europe/Berlin', NOW))).toBe('Today, 12:30 AM')
    expect(plain(stampOf('2026-03-29T02:00:00Z', 'America/New_York', NOW))).toBe('Yesterday, 10:00 PM')
  })

  it('counts days of the calendar over the night of 23 hours', () => {
    expect(plain(stampOf('2026-03-28T00:10:00Z', 'Europe/Berlin', NOW))).toBe('Yesterday, 1:10 AM')
  })

  it('is a short date before that, and in the future', () => {
    expect(stampOf('2026-03-27T12:00:00Z', 'UTC', NOW)).toBe('Mar 27, 2026')
    expect(stampOf('2026-03-30T12:00:00Z', 'UTC', NOW)).toBe('Mar 30, 2026')
  })
})

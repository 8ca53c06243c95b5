import { describe, expect, it } from 'vitest'
import { stampOf } from './stamp.ts'

const NOW = new Date('2026-03-29T12:00:00Z')

describe('A stamp', () => {
  it('says today and yesterday in the zone of its reader', () => {
    expect(stampOf('2026-03-29T09:04:00Z', 'UTC', NOW)).toBe('Today, 9:04 AM')
    expect(stampOf('2026-03-28T23:30:00Z', 'UTC', NOW)).toBe('Yesterday, 11:30 PM')
    expect(stampOf('2026-03-28T23:30:00Z', 'Europe/Berlin', NOW)).toBe('Today, 12:30 AM')
    expect(stampOf('2026-03-29T02:00:00Z', 'America/New_York', NOW)).toBe('Yesterday, 10:00 PM')
  })

  it('counts calendar days across a night of 23 hours', () => {
    expect(stampOf('2026-03-28T00:10:00Z', 'Europe/Berlin', NOW)).toBe('Yesterday, 1:10 AM')
  })

  it('is a short date for earlier days and for the future', () => {
    expect(stampOf('2026-03-27T12:00:00Z', 'UTC', NOW)).toBe('Mar 27, 2026')
    expect(stampOf('2026-03-30T12:00:00Z', 'UTC', NOW)).toBe('Mar 30, 2026')
  })

  it('is blank if the time is unknown', () => expect(stampOf('', 'UTC', NOW)).toBe(''))

  it.each([
    // The night of 25 hours, a zone with an offset of 45 minutes, the first and the last zone of the day,
    // and midnight itself.
    ['2026-10-24T22:30:00Z', 'Europe/Berlin', '2026-10-25T22:45:00Z', 'Today, 12:30 AM'],
    ['2026-10-24T21:30:00Z', 'Europe/Berlin', '2026-10-25T22:45:00Z', 'Yesterday, 11:30 PM'],
    ['2026-11-01T05:30:00Z', 'America/New_York', '2026-11-02T04:59:00Z', 'Today, 1:30 AM'],
    ['2026-11-01T06:30:00Z', 'America/New_York', '2026-11-02T05:00:00Z', 'Yesterday, 1:30 AM'],
    ['2026-06-01T18:20:00Z', 'Asia/Kathmandu', '2026-06-01T18:30:00Z', 'Today, 12:05 AM'],
    ['2026-06-01T09:59:00Z', 'Pacific/Kiritimati', '2026-06-01T10:00:00Z', 'Yesterday, 11:59 PM'],
    ['2026-06-02T10:59:00Z', 'Pacific/Pago_Pago', '2026-06-02T11:00:00Z', 'Yesterday, 11:59 PM'],
    ['2026-01-01T00:00:00Z', 'UTC', '2026-01-01T12:00:00Z', 'Today, 12:00 AM'],
    ['2025-12-31T12:00:00Z', 'UTC', '2026-01-01T00:00:00Z', 'Yesterday, 12:00 PM'],
    ['2025-12-30T12:00:00Z', 'UTC', '2026-01-01T00:00:00Z', 'Dec 30, 2025'],
  ])('of %s in %s at %s is %s', (at, zone, now, stamp) => {
    expect(stampOf(at, zone, new Date(now))).toBe(stamp)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextAllowed } from '../hours/next-allowed.ts'
import { QUIET_HOURS } from '../hours/quiet-hours.ts'
import { WEEKDAYS } from '../hours/wall-time.ts'
import type { PlanInput } from './plan-input.ts'
import { planLift } from './planner.ts'
import { explainShift } from './preview/preview.ts'
import { resumeOccurrences } from './resume.ts'

const base: PlanInput = {
  rule: { kind: 'absolute', date: '2026-03-02', time: '10:00' },
  closes_after_hours: null,
  journey: {
    start_on: '2026-03-02',
    launched_at: new Date('2026-03-01T12:00:00Z'),
    launched_now: false,
    timezone_mode: 'recipient',
    timezone: 'UTC',
    default_send_time: '09:30',
    send_days: WEEKDAYS,
  },
  member: { id: 1, zone: 'Europe/Vienna', joined_at: new Date('2026-03-01T12:00:00Z') },
  tenant_zone: 'America/New_York',
  channel: 'email',
  now: new Date('2026-03-01T12:00:00Z'),
}

const due = (change: Partial<PlanInput>) => planLift({ ...base, ...change }).due_at?.toISOString()
const inZone = (zone: string | null) => ({ ...base.member, zone })
const at = (date: string, time: string): PlanInput['rule'] => ({ kind: 'absolute', date, time })

describe('The planner', () => {
  it('uses the time zone of the person, otherwise the tenant’s, or the journey’s if it says so', () => {
    expect(due({})).toBe('2026-03-02T09:00:00.000Z')
    // 10:00 in New York, moved to 11:00, because the person's zone is unknown.
    expect(due({ member: inZone(null) })?.slice(0, 13)).toBe('2026-03-02T16')
    expect(due({ journey: { ...base.journey, timezone_mode: 'journey' } })).toBe('2026-03-02T10:00:00.000Z')
  })

  it('reads every kind of rule', () => {
    const awaited_at = new Date('2026-03-04T15:00:00Z')
    expect(due({ rule: { kind: 'offset', from: 'start', days: 3, time: '10:00' } })).toBe(
      '2026-03-05T09:00:00.000Z',
    )
    expect(due({ rule: { kind: 'offset', from: 'joined', days: 1 } })).toBe('2026-03-02T08:30:00.000Z')
    expect(due({ rule: { kind: 'offset', from: 'previous_lift_completed', days: 1 } })).toBeUndefined()
    expect(due({ rule: { kind: 'offset', from: 'previous_lift_completed', days: 1 }, awaited_at })).toBe(
      '2026-03-05T08:30:00.000Z',
    )
    expect(due({ rule: { kind: 'weekly', week: 2, weekday: 'Wed', time: '12:00' } })).toBe(
      '2026-03-11T11:00:00.000Z',
    )
    expect(due({ rule: { kind: 'after_lift', lift_id: 7, min_hours: 2 }, awaited_at })).toBe(
      '2026-03-04T17:00:00.000Z',
    )
    expect(due({ rule: { kind: 'manual', at_launch: false } })).toBeUndefined()
  })

  it('plans a lift at launch for the next usual time of the person, or at once', () => {
    const rule = { kind: 'manual', at_launch: true } as const
    const launched = (launched_at: string, more = {}) =>
      due({
        rule,
        now: new Date(launched_at),
        journey: { ...base.journey, launched_at: new Date(launched_at), ...more },
      })
    expect(launched('2026-03-02T08:00:00Z')).toBe('2026-03-02T08:30:00.000Z')
    expect(launched('2026-03-02T08:31:00Z')).toBe('2026-03-03T08:30:00.000Z')
    expect(launched('2026-03-02T08:31:00Z', { launched_now: true })).toBe('2026-03-02T08:31:00.000Z')
    // Nobody is woken: by default a launch at night reaches people in the morning.
    expect(launched('2026-03-02T02:00:00Z', { launched_now: true })).toMatch(/^2026-03-02T08:[01]/)
    const weekend = { send_days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] }
    expect(launched('2026-03-07T08:00:00Z', weekend)).toMatch(/^2026-03-09T08:[01]/)
  })

  it('moves a time that the clock skips later, and takes the earlier of two equal times', () => {
    const vienna = inZone('Europe/Vienna')
    const quiet_hours = { from: '23:59', to: '00:00' }
    expect(due({ rule: at('2026-03-29', '02:30'), member: vienna, quiet_hours })).toBe(
      '2026-03-29T01:30:00.000Z',
    )
    expect(due({ rule: at('2026-10-25', '02:30'), member: vienna, quiet_hours })).toBe(
      '2026-10-25T00:30:00.000Z',
    )
  })

  it('counts elapsed hours when the clock shows an hour twice', () => {
    const journey = { ...base.journey, timezone_mode: 'journey' as const, timezone: 'America/New_York' }
    const member = inZone('Asia/Tokyo')
    const second = new Date('2027-11-07T06:30:00Z')
    const awaited_at = new Date('2027-11-06T06:30:00Z')
    const rule = { kind: 'after_lift', lift_id: 7, min_hours: 24 } as const
    const waited = planLift({ ...base, journey, member, awaited_at, rule })
    expect(waited).toMatchObject({ due_at: second, planned_local: '2027-11-07T01:30', shifted: [] })
    const launched = { ...journey, launched_at: second, launched_now: true }
    expect(due({ journey: launched, member, rule: { kind: 'manual', at_launch: true } })).toBe(
      second.toISOString(),
    )
  })

  it('keeps the time of day when a pause shifts it, at the resume and when it is planned again', () => {
    const pauses = [
      // All before the change of clocks.
      ['2026-03-20T09:00Z', '2026-03-23T09:00Z', '2026-03-27', '2026-03-30T08:00Z', 'Europe/Vienna'],
      // From ten to ten o'clock in Vienna, across the changes.
      ['2026-03-27T09:00Z', '2026-04-01T08:00Z', '2026-04-10', '2026-04-15T08:00Z', 'Europe/Vienna'],
      ['2026-10-23T08:00Z', '2026-10-26T09:00Z', '2026-10-24', '2026-10-27T09:00Z', 'Europe/Vienna'],
      ['2026-03-27T09:00Z', '2026-04-01T08:00Z', '2026-04-10', '2026-04-15T04:30Z', 'Asia/Kolkata'],
      // Across the change in New York only.
      ['2026-03-06T09:00Z', '2026-03-09T09:00Z', '2026-03-07', '2026-03-10T14:00Z', 'America/New_York'],
    ] as const
    for (const [from, to, date, expected, zone] of pauses) {
      const pause = { from: new Date(from), to: new Date(to) }
      const inVienna = { ...base, member: inZone(zone), tenant_zone: 'Europe/Vienna' }
      const given = { ...inVienna, rule: at(date, '10:00'), closes_after_hours: 48 }
      const { due_at, closes_at } = planLift(given)
      const waiting = { id: 1, due_at: due_at ?? pause.to, closes_at, zone, planned_on: base.now }
      const terms = { ...given, mode: 'shift', paused_at: pause.from, now: pause.to, taken: [] } as const
      const closes = new Date(Date.parse(expected) + 48 * 3_600_000)
      for (const plan of [planLift({ ...given, pauses: [pause] }), resumeOccurrences([waiting], terms)[0]])
        expect([plan?.due_at, plan?.closes_at], from).toEqual([new Date(expected), closes])
    }
  })

  it('explains the shift when the clock skips only half an hour', () => {
    const lord = inZone('Australia/Lord_Howe')
    const quiet_hours = { from: '23:59', to: '00:00' }
    const plan = planLift({ ...base, rule: at('2027-10-03', '02:10'), member: lord, quiet_hours })
    expect(plan.due_at?.toISOString()).toBe('2027-10-02T15:40:00.000Z')
    expect(plan.shifted.map((shift) => explainShift(shift).text)).toEqual([
      'Clocks spring forward and skip this time, so it moves later by as much.',
    ])
  })

  it('moves lifts out of the night and off days that are not chosen, and says why', () => {
    const evening = planLift({ ...base, rule: at('2026-03-02', '21:00') })
    expect(evening.planned_local).toBe('2026-03-02T21:00')
    expect(evening.shifted).toEqual(['quiet_hours', 'jitter'])
    expect(evening.due_at?.toISOString()).toMatch(/^2026-03-03T08:[01]/)
    const weekend = { ...base.journey, send_days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'] }
    expect(due({ rule: at('2026-03-07', '10:00'), journey: weekend })).toMatch(/^2026-03-09T08:[01]/)
  })

  it('sends at once what a person sends now, except texts at night', () => {
    const night = new Date('2026-03-02T22:00:00Z')
    const byMail = planLift({ ...base, send_now: true, now: night })
    expect([byMail.due_at, byMail.send_at]).toEqual([night, night])
    const byText = planLift({ ...base, send_now: true, now: night, channel: 'sms' })
    expect(byText.due_at).toEqual(night)
    expect(byText.send_at?.toISOString()).toMatch(/^2026-03-03T08:[01]/)
  })

  it('closes a lift after its hours, and expires one that would be sent later than that', () => {
    const plan = planLift({ ...base, rule: at('2026-03-02', '21:00'), closes_after_hours: 2 })
    expect([plan.closes_at?.toISOString(), plan.expired]).toEqual(['2026-03-02T22:00:00.000Z', true])
    expect(planLift({ ...base, closes_after_hours: 2 }).expired).toBe(false)
  })

  it('never plans into quiet hours or onto a day that is not chosen, in any zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const days = fc.subarray([...WEEKDAYS], { minLength: 1 })
    const moment = fc.date({ min: new Date('2025-01-01'), max: new Date('2028-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(zones, days, moment, fc.nat(5000), (zone, send_days, date, id) => {
        const [day = '', time = ''] = date.toISOString().split('T')
        const plan = planLift({
          ...base,
          rule: at(day, time.slice(0, 5)),
          journey: { ...base.journey, send_days },
          member: { ...base.member, id, zone },
        })
        const local = new Intl.DateTimeFormat('en-GB', {
          timeZone: zone,
          weekday: 'short',
          hour: '2-digit',
          minute: '2-digit',
        }).formatToParts(plan.due_at ?? undefined)
        const part = (type: string) => local.find((one) => one.type === type)?.value ?? ''
        const clock = `${part('hour')}:${part('minute')}`
        expect(send_days).toContain(part('weekday'))
        expect(clock >= QUIET_HOURS.to && clock < QUIET_HOURS.from).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('names the next minute at which a text can reach a person', () => {
    const noon = new Date('2026-03-02T12:00:00Z')
    const night = new Date('2026-03-02T03:00:00Z')
    const known = { zone: 'UTC', tenant_zone: 'Asia/Tokyo', member_id: 0 }
    expect(nextAllowed(noon, known)).toEqual(noon)
    expect(nextAllowed(night, known).toISOString()).toBe('2026-03-02T09:00:00.000Z')
    const unknown = { zone: null, tenant_zone: 'UTC', member_id: 0 }
    expect(nextAllowed(night, unknown).toISOString()).toBe('2026-03-02T11:00:00.000Z')
  })
})

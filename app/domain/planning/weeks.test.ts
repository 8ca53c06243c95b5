import { expect, it } from 'vitest'
import type { ScheduleRule } from '../lifts/schedule-rule.ts'
import { byWeek, expectedDay } from './weeks.ts'

const calendar = { start_on: '2026-11-04', zone: 'Europe/Amsterdam' }
const lift = (schedule: ScheduleRule, first_due_at: string | null = null) => ({
  schedule,
  counts: { first_due_at },
})
const after = (days: number, from: 'start' | 'joined' = 'start') => lift({ kind: 'offset', from, days })

it('A lift has an expected day only if it is planned, dated or counted from the start', () => {
  expect(expectedDay(after(7), calendar)).toBe('2026-11-11')
  expect(expectedDay(after(7), { ...calendar, start_on: null })).toBeNull()
  expect(expectedDay(after(7, 'joined'), calendar)).toBeNull()
  expect(expectedDay(lift({ kind: 'weekly', week: 2, weekday: 'Mon' }), calendar)).toBe('2026-11-09')
  expect(expectedDay(lift({ kind: 'absolute', date: '2028-02-29', time: '09:00' }), calendar)).toBe(
    '2028-02-29',
  )
  // 23:30 UTC is the next day in Amsterdam.
  expect(expectedDay(lift({ kind: 'manual', at_launch: true }, '2026-11-20T23:30:00Z'), calendar)).toBe(
    '2026-11-21',
  )
})

it('Weeks group their lifts, count the empty weeks before them, and mark today', () => {
  const lifts = [after(0), after(2), after(7), after(28), after(0, 'joined')]
  const weeks = byWeek(lifts, calendar, '2026-11-19')
  expect(weeks.map(({ monday, gap, today, lifts }) => [monday, gap, today, lifts.length])).toEqual([
    ['2026-11-02', 0, null, 2],
    ['2026-11-09', 0, null, 1],
    ['2026-11-30', 2, 'before', 1],
    [null, 0, null, 1],
  ])
  expect(byWeek(lifts, calendar, '2026-11-08').map((week) => week.today)).toEqual([
    'inside',
    null,
    null,
    null,
  ])
})

it('Each empty week and today appear once, in whatever order the weeks come', () => {
  const weeks = byWeek([after(14), after(0), after(21), after(35)], calendar, '2026-11-17')
  expect(weeks.map(({ monday, gap, today }) => [monday, gap, today])).toEqual([
    ['2026-11-16', 0, 'inside'],
    ['2026-11-02', 0, null],
    ['2026-11-23', 0, null],
    ['2026-12-07', 1, null],
  ])
})

it('A manually sent lift is kept apart from the weeks around it', () => {
  const byHand = lift({ kind: 'manual', at_launch: false }, '2026-11-05T09:00:00Z')
  const withLaunch = lift({ kind: 'manual', at_launch: true }, '2026-11-05T09:00:00Z')
  const weeks = byWeek([withLaunch, after(28), byHand], calendar, '2026-11-04')
  expect(weeks.map(({ monday }) => monday)).toEqual(['2026-11-02', '2026-11-30', null])
  expect(weeks[2]?.lifts[0]?.day).toBe('2026-11-05')
})

it('Empty weeks are not counted from or to a past date for which nobody was planned', () => {
  const dated = (date: string, sent: string | null = null) =>
    lift({ kind: 'absolute', date, time: '09:00' }, sent)
  const gaps = (...lifts: ReturnType<typeof lift>[]) =>
    byWeek(lifts, calendar, '2026-11-19').map(({ gap, today }) => [gap, today])
  expect(gaps(dated('2020-01-01'), dated('2026-12-02'))).toEqual([
    [0, null],
    [0, 'before'],
  ])
  expect(gaps(dated('2026-11-20'), dated('2019-01-01'), dated('2026-12-10'))).toEqual([
    [0, 'inside'],
    [0, null],
    [2, null],
  ])
  // A lift that was sent at that time is part of the journey.
  expect(
    gaps(dated('2026-10-01', '2026-10-01T07:00:00Z'), dated('2026-10-20'), dated('2026-12-02'))[2],
  ).toEqual([8, 'before'])
})

/** Wall-clock times and calendar days, without a time zone. */
import { z } from 'zod'

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** A day in a plausible range. */
export const PlanDay = z.iso
  .date({ error: 'Please enter a date', abort: true })
  .refine((day) => day >= '2000-01-01' && day <= '2100-12-31', 'Please enter a date from 2000 to 2100')

/** A day that is valid in every time zone, and whose next day still has a four-digit year. */
export const Day = z.iso
  .date({ error: 'Please enter a date', abort: true })
  .refine((day) => day > '0001' && day < '9999', 'Please enter a date')

export const WallTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter the time as HH:MM, on a 24-hour clock')

const DAY_MS = 86_400_000

/** Adds days to a day given as YYYY-MM-DD. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)

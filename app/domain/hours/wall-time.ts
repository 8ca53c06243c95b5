/** Times and days as the clock on the wall shows them, without a zone. */
import { z } from 'zod'

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** A day that somebody can have meant. */
export const PlanDay = z.iso
  .date({ error: 'Please enter a date', abort: true })
  .refine((day) => day >= '2000-01-01' && day <= '2100-12-31', 'Please enter a date from 2000 to 2100')

/** A day that is one in every zone, and whose morrow still has four digits in its year. */
export const Day = z.iso
  .date({ error: 'Please enter a date', abort: true })
  .refine((day) => day > '0001' && day < '9999', 'Please enter a date')

export const WallTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter the time as HH:MM, on a 24-hour clock')

const DAY_MS = 86_400_000

/** Of a day as YYYY-MM-DD. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)

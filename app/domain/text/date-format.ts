/** Cached date formats: creating one costs a hundred times as much as using it. */

import { LOCALE } from './figures.ts'

const made = new Map<string, Intl.DateTimeFormat>()
const MAX = 300

export function dateFormat(options: Intl.DateTimeFormatOptions, locale = LOCALE): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const known = made.get(key)
  if (known) return known
  if (made.size >= MAX) made.clear()
  const format = new Intl.DateTimeFormat(locale, options)
  made.set(key, format)
  return format
}

/** A wall-clock time as its reader says it: "9:00 AM". */
export const timeOfDay = (time: string): string =>
  dateFormat({ timeStyle: 'short', timeZone: 'UTC' })
    .format(new Date(`1970-01-01T${time}Z`))
    .replace('\u202f', ' ')

/** A day of the calendar, `2026-11-29`, as its reader says it: "Nov 29, 2026". */
export const dayInWords = (date: string): string =>
  dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))

/** `Sunday, November 29, 2026 at 1:00 PM (Europe/Madrid)`: for mails, which cannot ask a browser where it is. */
export const inTheirZone = (at: Date, timeZone: string): string =>
  `${dateFormat({ dateStyle: 'full', timeStyle: 'short', timeZone }).format(at).replace('\u202f', ' ')} (${timeZone})`
